import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { topup } from './helpers/child.ts';
import { temporaryFolder } from './helpers/folder.ts';

it.each(['a new folder', 'a folder that others may write to'])(
  'keeps compiled code safe from other users, whatever the umask: %s',
  (kind) => {
    using folder = temporaryFolder();
    const cache = join(folder.path, '.cache', 'topup');
    if (kind !== 'a new folder') mkdirSync(cache, { recursive: true, mode: 0o777 });
    const { status } = spawnSync(
      'sh',
      ['-c', 'umask 000; exec "$0" "$@"', process.execPath, topup, 'completion', 'bash'],
      {
        env: { HOME: folder.path, PATH: process.env.PATH },
      },
    );
    expect(status).toBe(0);
    expect(statSync(cache).mode & 0o777).toBe(0o700);
  },
);
