import { type Io, setting } from '../../io.ts';
import { configPath } from '../../settings/config-path.ts';
import { readConfigFile } from '../../settings/read-config.ts';

/** Whether somebody who configured nothing yet sits at a terminal. */
export function isNewcomer(io: Io): boolean {
  if (!io.terminal || io.stdout.isTTY !== true) return false;
  const configured = ['TOPUP_BASE_URL', 'TOPUP_API_KEY'].some((name) => setting(io, name) !== undefined);
  return !configured && Object.keys(readConfigFile(configPath(io)).profiles).length === 0;
}
