import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { spawnTopup } from './helpers/child.ts';
import { fixtureOrder } from './helpers/order.ts';
import { run, start } from './helpers/run.ts';
import { startKeyTeller, startService } from './helpers/servers.ts';

const noGames = { success: true, games: [], populerGames: [] };

/** A service whose responses are these bytes, compressed or not. */
const startGzipService = (bytes: Uint8Array) =>
  startService((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(bytes);
  });

/** The error code of `games list` at a service that sends these bytes. */
async function errorOf(bytes: Uint8Array): Promise<string> {
  await using service = await startGzipService(bytes);
  const { stdout } = await run(['games', 'list', '--json', '--base-url', service.baseUrl]);
  return JSON.parse(stdout).error.code;
}

describe('a compressed response', () => {
  it('requests compressed responses, except on this machine', async () => {
    const asked: unknown[] = [];
    await using service = await startService((request, response) => {
      asked.push(request.headers['accept-encoding']);
      response.end(JSON.stringify(noGames));
    });
    const { port } = new URL(service.baseUrl);
    const environment = { TOPUP_API_KEY: 'tk_live_mine' };

    // 0.0.0.0 leads to this machine, too, but is not known as its address.
    for (const host of ['0.0.0.0', '127.0.0.1'])
      await run(['games', 'list', '--base-url', `http://${host}:${port}/api`], { environment });

    expect(asked).toEqual(['gzip', undefined]);
  });

  it('reads a compressed response', async () => {
    await using service = await startGzipService(gzipSync(JSON.stringify(noGames)));

    const { stdout } = await run(['games', 'list', '--json', '--base-url', service.baseUrl]);

    expect(JSON.parse(stdout)).toEqual(noGames);
  });

  it('limits the size of a decompressed response', async () => {
    expect(await errorOf(gzipSync(' '.repeat(2 ** 24 + 1)))).toBe('RESPONSE_TOO_LARGE');
  });

  it('rejects a compressed response that was cut off', async () => {
    expect(await errorOf(gzipSync(JSON.stringify(noGames)).subarray(0, -12))).toBe('NETWORK_ERROR');
  });
});

it('follows no redirect, which would receive the key', async () => {
  const keys: unknown[] = [];
  await using target = await startKeyTeller(keys);
  await using service = await startService((_request, response) => {
    response.writeHead(307, { Location: `${target.baseUrl}/games` }).end();
  });

  const { code, stderr } = await run(['games', 'list', '--base-url', service.baseUrl]);

  expect({ code, keys }).toEqual({ code: 1, keys: [] });
  expect(stderr).toContain('Redirects are not followed');
});

describe('a server that accepts connections and never completes the TLS handshake', () => {
  it('reports that nothing was sent if the TLS handshake never ends', async () => {
    await using silent = createServer(() => {});
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const connected = once(silent, 'connection');
      const started = start([...fixtureOrder, '--base-url', `https://127.0.0.1:${port}/api`]);
      const [socket] = await connected;
      await vi.advanceTimersByTimeAsync(10_000);

      expect({ code: await started.code, ...started.written }).toMatchObject({
        code: 5,
        stderr: expect.stringContaining('No response from'),
      });
      socket.destroy();
    } finally {
      vi.useRealTimers();
    }
  });
});

it("doesn't load Node's fetch, which takes longer than the rest of a command", async () => {
  await using service = await startService((_request, response) => {
    response.end(JSON.stringify(noGames));
  });
  const reportFetch = `data:text/javascript,process.on('exit', () => {
    console.error(process.moduleLoadList.filter((name) => /undici|http/.test(name)).join());
  })`;
  await using child = spawnTopup(['games', 'list', '--base-url', service.baseUrl], ['--import', reportFetch]);

  expect((await child.ended).code).toBe(0);
  expect(child.said.stderr).toContain('NativeModule _http_client');
  expect(child.said.stderr).not.toContain('undici');
});
