import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { keepSocket, missingKeeper } from './helpers/kept-socket.ts';

// reverse-proxies.slow.test.ts does so under load, behind nginx and Caddy.
const title = 'a server that is restarted under the socket of systemd lets requests wait, and loses none';
it.skipIf(missingKeeper !== null)(
  missingKeeper === null ? title : `${title} (skipped: ${missingKeeper})`,
  { timeout: 30_000 },
  async () => {
    using folder = temporaryFolder();
    await using socket = await keepSocket({
      TOPUP_MODE: 'sandbox',
      TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`,
    });
    const livez = async (): Promise<number> =>
      (await fetch(`http://127.0.0.1:${socket.port}/livez`, { headers: { Connection: 'close' } })).status;
    // Nothing listens yet, but the address is there.
    const early = livez();
    await socket.start();
    expect(await early).toBe(200);
    expect(await livez()).toBe(200);
    expect(await socket.stop()).toBe(0);
    const between = [livez(), livez()];
    await socket.start();
    expect(await Promise.all(between)).toEqual([200, 200]);
  },
);
