import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { bundledModule } from '../../../test/shared.ts';
import { order, place } from '../../suites/src/store/fixtures.ts';
import type { LockOwner } from '../src/sqlite/index.ts';
import { createSqliteStore, findServer, lockForServer } from '../src/sqlite/index.ts';
import { tempFile } from './helpers/store-file.ts';

const me: LockOwner = { pid: process.pid };

function lock(path: string, holder = me) {
  const taken = lockForServer(path, holder);
  onTestFinished(() => taken.release());
  return taken;
}

/** Starts a process that takes the lock and prints the result, then waits until it is killed. With a full disk, it can write no file. */
async function startServer(path: string, disk: 'usual' | 'full' = 'usual') {
  const module = await bundledModule(new URL('../src/sqlite/server-lock.ts', import.meta.url));
  const script = `
    import { lockForServer } from ${JSON.stringify(module)};
    try {
      lockForServer(${JSON.stringify(path)}, { pid: process.pid, address: 'http://127.0.0.1:4000' });
      console.log('locked');
    } catch (error) {
      console.log(error.message);
    }
    // The lock must survive garbage collection.
    for (let n = 0; n < 3; n += 1) globalThis.gc();
    setInterval(() => {}, 60_000);`;
  const options = ['--expose-gc', '--input-type=module-typescript', '--eval'];
  const limit = disk === 'full' ? 'trap "" XFSZ; ulimit -f 0; ' : '';
  const child = spawn('bash', ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...options, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = once(child.stdout, 'data').then(([line]) => String(line).trim());
  return { child, said };
}

it('rejects a second server, and names the first server', () => {
  const path = tempFile();
  lock(path, { pid: 4711, address: 'http://127.0.0.1:4000' });
  expect(() => lockForServer(path, me)).toThrow(
    expect.objectContaining({
      problem: 'served_already',
      message: `Another server (pid 4711, http://127.0.0.1:4000) already serves ${path}.`,
    }),
  );
});

it('shows any user which server has the lock, without creating a file', () => {
  const path = tempFile();
  expect(findServer(path)).toBeNull();
  expect(existsSync(`${path}.lock`)).toBe(false);
  const first = lock(path, { pid: 1, address: 'http://127.0.0.1:4000' });
  expect(findServer(path)).toStrictEqual({ pid: 1, address: 'http://127.0.0.1:4000' });
  first.release();
  expect(findServer(path)).toBeNull();
  lock(path, { pid: 2 });
  expect(findServer(path)).toStrictEqual({ pid: 2 });
});

it('frees a released lock, and ignores a second release', () => {
  const path = tempFile();
  const first = lock(path, { pid: 1 });
  first.release();
  lock(path, { pid: 2 });
  first.release();
  expect(() => lockForServer(path, me)).toThrow(`Another server (pid 2) already serves ${path}.`);
});

it('uses one lock per file, which only its owner can read', () => {
  const path = tempFile();
  lock(path);
  lock(`${path}2`);
  expect(statSync(`${path}.lock`).mode & 0o777).toBe(0o600);
});

it('shares the lock among links to a file', () => {
  const path = tempFile();
  lock(path, { pid: 4711 });
  symlinkSync(path, `${path}-link`);
  expect(() => lockForServer(`${path}-link`, me)).toThrow('pid 4711');
});

it('names an invalid lock file in the error', () => {
  const path = tempFile();
  writeFileSync(`${path}.lock`, 'Not a database, but somebody’s notes.\n'.repeat(100));
  for (const use of [() => lockForServer(path, me), () => findServer(path)])
    expect(use).toThrow(`${path}.lock is not a store of this kit, or it is damaged.`);
});

it('frees the lock of a process killed with SIGKILL', async () => {
  const path = tempFile();
  const { child, said } = await startServer(path);
  expect(await said).toBe('locked');
  expect(() => lockForServer(path, me)).toThrow(`pid ${child.pid}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  lock(path);
});

it("gives the lock to a server with a full disk, under the previous server's name", async () => {
  const path = tempFile();
  lock(path, { pid: 4711 }).release();
  const { said } = await startServer(path, 'full');
  expect(await said).toBe('locked');
  expect(() => lockForServer(path, me)).toThrow('Another server (pid 4711) already serves');
});

it('gives the lock to one of several servers that start together, and names that server to the others', async () => {
  const path = tempFile();
  const servers = await Promise.all(Array.from({ length: 4 }, () => startServer(path)));
  const said = await Promise.all(servers.map((server) => server.said));
  const winner = servers[said.indexOf('locked')];
  expect(said.filter((line) => line === 'locked')).toHaveLength(1);
  expect(said.filter((line) => line.includes(`pid ${winner?.child.pid},`))).toHaveLength(3);
});

it('lets an operator open the store of a running server', async () => {
  const path = tempFile();
  lock(path);
  const store = createSqliteStore({ path });
  onTestFinished(() => store.close());
  expect(await store.placeOrder(place(order()))).toEqual({ done: true });
});
