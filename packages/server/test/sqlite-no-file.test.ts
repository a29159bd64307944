import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backUpStore, findServer, lockForServer, openStore, restoreStore } from '../src/index.ts';
import { makeStore, rejectionOf, tempFolder } from './helpers/store-file.ts';

const hasPipes = spawnSync('mkfifo', ['--version']).status === 0;

/** Creates a named pipe, as an example of what is not a regular file. */
function makePipe(folder: string): string {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

describe.skipIf(!hasPipes)('what is no regular file (needs mkfifo)', () => {
  it('is not replaced by a backup, also with force', async () => {
    const folder = tempFolder();
    const path = join(folder, 'topup.db');
    await makeStore(path, 1);
    const pipe = makePipe(folder);

    expect(await rejectionOf(backUpStore(path, pipe, { force: true }))).toMatchObject({
      problem: 'not_a_file',
      message: `${pipe} is a device or a pipe, not a file.`,
    });
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it('is not replaced by a restore, which leaves no lock beside it', async () => {
    const folder = tempFolder();
    const path = join(folder, 'topup.db');
    await makeStore(path, 1);
    await backUpStore(path, join(folder, 'friday.db'));
    const pipe = makePipe(folder);

    const rejection = await rejectionOf(restoreStore(join(folder, 'friday.db'), pipe));

    expect(rejection).toMatchObject({ problem: 'not_a_file' });
    expect(statSync(pipe).isFIFO()).toBe(true);
    expect(existsSync(`${pipe}.lock`)).toBe(false);
  });

  it('is not a store, and no lock is left beside it', async () => {
    const folder = tempFolder();
    const pipe = makePipe(folder);

    expect(() => openStore({ kind: 'file', path: pipe })).toThrow('is a device or a pipe');
    expect(() => lockForServer(pipe, { pid: 4711 })).toThrow('is a device or a pipe');
    expect(findServer(pipe)).toBeNull();
    expect(readdirSync(folder)).toEqual(['pipe']);
  });
});

it.skipIf(!existsSync('/proc/self'))('ends where no folder can be made (needs /proc)', () => {
  expect(() => openStore({ kind: 'file', path: '/proc/topup-none/a/topup.db' })).toThrow(
    "The folder /proc/topup-none/a can't be created (ENOENT).",
  );
});
