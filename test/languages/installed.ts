import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

/** The folder that `.ci/languages` fills with Debian's packages; undefined where it did not run. */
export const unpacked = process.env.TOPUP_TEST_LANGUAGES;

/** Whether a command is on the PATH. */
export const isOnPath = (command: string, question = '--version'): boolean =>
  spawnSync(command, [question]).status === 0;

/** A path below `/usr`, where Debian's packages are installed or unpacked. */
export const underUsr = (path: string): string => join(unpacked ?? '/', 'usr', path);

/** The first file that a pattern below `/usr` finds; undefined where there is none. */
export const findUnderUsr = (pattern: string): string | undefined =>
  globSync(pattern, { cwd: underUsr('') }).map(underUsr)[0];

/** The file of Python; undefined where there is none. A wrapper on the PATH, such as that of pyenv, takes longer to start. */
export function findPython(): string | undefined {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  return stdout?.trim() || undefined;
}

export const phpFile = 'bin/php[0-9]*';
export const goFile = 'lib/go-*/bin/go';
