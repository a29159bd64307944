import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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

/** Resolves links, so that the target of a link is replaced and the link stays. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isNoFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  } catch {
    // Other errors are reported when the file is read.
    return false;
  }
}

/** A device must not be replaced, and a pipe would block. */
function requireRegularFile(path: string): void {
  if (isNoFile(path))
    throw configError(
      `${path} is not a regular file, so it can't hold the configuration.`,
      'Nothing was changed. Set TOPUP_CONFIG to a regular file.',
    );
}

/** Creates the next config file, which also locks the config: only one process can create it. */
async function openNext(next: string): Promise<number> {
  const end = performance.now() + lockTimeoutMs;
  for (;;) {
    try {
      return openSync(next, 'wx', 0o600);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      if (performance.now() > end)
        throw configError(
          `Another topup has been changing the configuration for too long: ${next} exists.`,
          'Nothing was changed. If no other is running, remove that file and try again.',
        );
      await wait(retryAfterMs);
    }
  }
}

async function replaceConfig(path: string, change: (config: Config) => Config): Promise<void> {
  const target = realPath(path);
  const next = `${target}.lock`;
  makeFolder(dirname(target));
  const file = await openNext(next);
  try {
    try {
      writeFileSync(file, `${JSON.stringify(change(readConfigFile(target)), null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, target);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/**
 * Changes the config file, readable only by its user. Readers see the old content or the new, and no concurrent change
 * is lost.
 */
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

/** The profile that a command changes; it need not exist. */
export function profileToChange(context: CommandContext): ChosenProfile {
  requireRegularFile(configPath(context.io));
  const { isThere: _isThere, ...profile } = namedProfile(context);
  return profile;
}

interface Change {
  path: string;
  /** Created if it doesn't exist. */
  name: string;
  change(profile: CliProfile): CliProfile;
  /** Whether it becomes the profile in use. */
  use?: boolean;
}

export async function changeProfile({ path, name, change, use = false }: Change): Promise<void> {
  if (!isProfileName(name))
    throw usageError('The name of a profile has up to 64 letters, digits, dots, hyphens and underscores.');
  await changeConfig(path, (config: Config) => ({
    ...config,
    ...(use && { profile: name }),
    profiles: { ...config.profiles, [name]: change(findProfile(config, name) ?? {}) },
  }));
}
