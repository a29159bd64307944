import { existsSync } from 'node:fs';
import { chooseProfile } from '../../config/resolve.ts';
import type { CommandContext } from '../../context.ts';
import { Problem } from '../../errors/cli-error.ts';
import { type Check, failed, good } from './check.ts';

const name = 'configuration';

/** What stands in the config file, if there is one, and which profile of it is in use. */
export function checkConfiguration(context: CommandContext): Check {
  try {
    const { name: profile, from, path } = chooseProfile(context);
    if (!existsSync(path)) return good(name, `no ${path}, and none is needed for a sandbox on this machine`);
    const by = {
      config: '',
      default: '',
      '--profile': ', by --profile',
      TOPUP_PROFILE: ', by TOPUP_PROFILE',
    };
    return good(name, `profile ${profile} of ${path}${by[from]}`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return failed(name, error.message, error.details.hint ?? null);
  }
}
