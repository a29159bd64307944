import { readFileSync, type Stats, statSync } from 'node:fs';
import { shellWord } from '../command-line.ts';
import { Problem } from '../errors/problem.ts';
import { reasonOf } from '../errors/reason-of.ts';
import type { Config } from './config.ts';
import { configProblem } from './config-problem.ts';
import { parseConfig } from './parse-config.ts';

/** Refused rather than warned of: a key that others could read has to be thought of as known to them. */
function refuseOthers(path: string, { mode }: Stats): void {
  // Windows keeps no such bits; a profile's folder is its user's own there.
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw configProblem(
    `${path} can be read or changed by other users of this machine, so the keys in it are not used.`,
    `Close it to them, and think of making new keys:\n  chmod 600 ${shellWord(path)}`,
  );
}

function readText(path: string): string | undefined {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there === undefined) return undefined;
    // What is no file keeps no keys: /dev/null stands for no configuration at all.
    if (there.isFile()) refuseOthers(path, there);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw configProblem(
      `${path} can't be read: ${reasonOf(error)}.`,
      'Mend that, or name another file with TOPUP_CONFIG.',
      error,
    );
  }
}

/** Reads the config file; a missing or an empty one says nothing. */
export function readConfigFile(path: string): Config {
  const text = readText(path)?.trim();
  if (!text) return { profiles: {} };
  const hint = 'Mend it by hand, or move it away and begin anew with `topup login`.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What the parser says may quote the text around the fault, and so a key.
    throw configProblem(`${path} is not JSON.`, hint);
  }
  return parseConfig(value, (where, rule) => configProblem(`${path}: ${where} ${rule}.`, hint));
}
