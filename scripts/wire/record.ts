/** Run by `run.ts`. Its random bytes and its time are as fixed as those of the server, so both are the same in each run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../bench/temporary-folder.ts';
import { exchange } from '../../soak/fuzz/exchange.ts';
import { plays, type Send } from './journeys.ts';

const steady = fileURLToPath(new URL('steady.mjs', import.meta.url));

/** Maximum time for the effects of a control, in milliseconds. */
const settleMs = 60;

/** Matches values that a server draws at random, or that contain the current time. */
const drawn =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|INV-\d{14}-[A-Z]{8}|\b(?:req|cb|evt|msg|whe|key|sb)_\w+|SIM[A-Za-z0-9]{8,}/g;

/** Replaces a unique code, which is drawn at random, and the amounts of its order, even if a list of orders shows only the amounts. */
const withoutUniqueCode = (text: string): string =>
  /"unique_code":[1-9]|"data":\[\{"order_id"/.test(text)
    ? text.replace(/(?<=(unique_code|total_price|amount)":|Content-Length: )\d+/g, '<amount>')
    : text;

/** Replaces values in a text that a server draws at random, or that contain the current time. */
const withoutDrawn = (text: string): string =>
  withoutUniqueCode(text)
    .replace(/^Date: .*\r\n/gim, '')
    // A QR code contains the reference and a checksum of it. A sandbox's clock continues while the cases wait for a delivery.
    .replace(/(?<=62290525)[0-9A-Z]+/g, '<qr>')
    .replace(/(?<=\d{4}-\d\d-\d\d[T ]\d\d:)\d\d:\d\d(\.\d{3})?/g, '<time>')
    .replace(/(?<="expired_time":)\d+/g, '<time>')
    .replace(/(?<="payment_code(?:_display)?":")[\d ]+/g, '<code>')
    .replace(drawn, '<name>');

/** Plays all requests to the server in a folder. Returns the sent and received bytes. */
async function record(
  folder: string,
  port: number,
  play: (url: string, send: Send) => Promise<void>,
): Promise<string[]> {
  await using data = await temporaryFolder();
  const node = [
    '--conditions=@topup-kit/source',
    '--import',
    steady,
    join(folder, 'packages/cli/src/bin.ts'),
  ];
  const server = spawn(process.execPath, [...node, 'serve', '--sandbox', '--port', String(port)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: data.path,
      NODE_NO_WARNINGS: '1',
      TZ: 'Asia/Jakarta',
      TOPUP_STORE: `file:${join(data.path, 'topup.db')}`,
      TOPUP_LOG_LEVEL: 'silent',
      TOPUP_READS_PER_MINUTE: '0',
      TOPUP_ORDERS_PER_MINUTE: '0',
    },
  });
  const ended = once(server, 'exit');
  const url = `http://127.0.0.1:${port}`;
  try {
    for (
      let tries = 0;
      tries < 300 &&
      (await exchange(port, 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).text ===
        '';
      tries += 1
    )
      await sleep(100);
    const exchanges: { bytes: string; text: string }[] = [];
    await play(url, async (bytes) => {
      const { text } = await exchange(port, bytes);
      // A client that polls sees other states in each run; only the last one is awaited.
      if (exchanges.at(-1)?.bytes === bytes) exchanges.pop();
      exchanges.push({ bytes, text });
      // The effects of a control, such as a delivery, must end before the next request.
      if (bytes.startsWith('POST /sandbox')) await sleep(settleMs);
      return text;
    });
    // The sent bytes are partly random, and the same for both servers.
    return exchanges.map(
      ({ bytes, text }) => `${withoutDrawn(bytes.split('\r\n', 1)[0] ?? '')}\n${withoutDrawn(text)}`,
    );
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

const [folder = '', port, count, seed] = process.argv.slice(2);
const recorded: string[] = [];
// Uses a new server for each play, so that it finds no data of another play.
for (const play of plays({ count: Number(count), seed: Number(seed) }))
  recorded.push(...(await record(folder, Number(port), play)));
process.stdout.write(JSON.stringify(recorded));
