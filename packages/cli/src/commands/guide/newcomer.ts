import { configPath, readConfigFile } from '../../config/file.ts';
import { type Io, setting } from '../../io.ts';

/** Whether somebody who configured nothing yet sits at a terminal. */
export function isNewcomer(io: Io): boolean {
  if (!io.terminal || io.stdout.isTTY !== true) return false;
  const configured = ['TOPUP_BASE_URL', 'TOPUP_API_KEY'].some((name) => setting(io, name) !== undefined);
  return !configured && Object.keys(readConfigFile(configPath(io)).profiles).length === 0;
}
