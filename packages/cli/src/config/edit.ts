import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder } from '@topup-kit/server/internal/folders';
import type { CommandContext } from '../context.ts';
import { CliError, reasonOf, systemCode, usageError } from '../errors/cli-error.ts';
import {
  type CliProfile,
  type Config,
  configError,
  configPath,
  findProfile,
  isProfileName,
  readConfigFile,
} from './file.ts';
import { type ChosenProfile, namedProfile } from './resolve.ts';

const lockTimeoutMs = 2_000;
const retryAfterMs = 20;

/** Rejects a device, which must not be replaced, and a pipe, which would block. */
function requireRegularFile(path: string): void {
  if (existsSync(path) && !statSync(path).isFile())
    throw configError(
      `${path} is not a regular file, so it can't hold the configuration.`,
      'Nothing was changed. Set TOPUP_CONFIG to a regular file.',
    );
}

/** Creates the next config file, which also locks the config: only one process can create it. */
async function createNext(next: string): Promise<void> {
  const end = performance.now() + lockTimeoutMs;
  for (;;) {
    try {
      return writeFileSync(next, '', { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      if (performance.now() > end)
        throw configError(
          `Another topup command is still changing the configuration: ${next} exists.`,
          'Nothing was changed. If no other topup command is running, delete that file and try again.',
        );
      await wait(retryAfterMs);
    }
  }
}

async function replaceConfig(path: string, change: (config: Config) => Config): Promise<void> {
  // If the path is a link, its target is replaced, and the link stays.
  const target = existsSync(path) ? realpathSync(path) : path;
  const next = `${target}.lock`;
  makeFolder(dirname(target));
  await createNext(next);
  try {
    const text = `${JSON.stringify(change(readConfigFile(target)), null, 2)}\n`;
    writeFileSync(next, text, { flush: true });
    renameSync(next, target);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/** Changes the config file, which only its user can read. Readers see the old or the new content, and no concurrent change is lost. */
export async function changeConfig(path: string, change: (config: Config) => Config): Promise<void> {
  try {
    requireRegularFile(path);
    await replaceConfig(path, change);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw configError(
      `${path} can't be written: ${reasonOf(error)}.`,
      'Nothing was changed. Fix that, or use another file with TOPUP_CONFIG.',
      error,
    );
  }
}

/** Returns the profile that a command changes; the profile need not exist. */
export function profileToChange(context: CommandContext): ChosenProfile {
  requireRegularFile(configPath(context.io));
  return namedProfile(context);
}

/**
 * Changes a profile, and creates it if it doesn't exist.
 *
 * @param use true if it becomes the profile in use
 */
export async function changeProfile(
  { path, name }: ChosenProfile,
  change: (profile: CliProfile) => CliProfile,
  use = false,
): Promise<void> {
  if (!isProfileName(name))
    throw usageError("A profile's name has up to 64 letters, digits, dots, hyphens and underscores.");
  await changeConfig(path, (config) => ({
    ...config,
    ...(use && { profile: name }),
    profiles: { ...config.profiles, [name]: change(findProfile(config, name) ?? {}) },
  }));
}
