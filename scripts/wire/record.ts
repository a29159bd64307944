/** Run by `run.ts`, with its own random bytes and time as steady as those of the server: both are the same in each run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../bench/temporary-folder.ts';
import { exchange } from '../../soak/fuzz/exchange.ts';
import { plays, type Send } from './journeys.ts';

const steady = fileURLToPath(new URL('steady.mjs', import.meta.url));

/** How long what a control sets going may take, in milliseconds. */
const settleMs = 60;

/** What a server draws at random, or says of this moment. */
const drawn =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|INV-\d{14}-[A-Z]{8}|\b(?:req|cb|evt|msg|whe|key|sb)_\w+|SIM[A-Za-z0-9]{8,}/g;

/** A unique code is drawn, and the amounts of its order with it, also where a list of orders shows only these. */
const withoutUniqueCode = (text: string): string =>
  /"unique_code":[1-9]|"data":\[\{"order_id"/.test(text)
    ? text.replace(/(?<=(unique_code|total_price|amount)":|Content-Length: )\d+/g, '<amount>')
    : text;

/** A text without what a server draws, or says of this moment. */
const withoutDrawn = (text: string): string =>
  withoutUniqueCode(text)
    .replace(/^Date: .*\r\n/gim, '')
    // A QR has the reference and a checksum of it; a sandbox's clock goes on while the cases wait for a delivery.
    .replace(/(?<=62290525)[0-9A-Z]+/g, '<qr>')
    .replace(/(?<=\d{4}-\d\d-\d\d[T ]\d\d:)\d\d:\d\d(\.\d{3})?/g, '<time>')
    .replace(/(?<="expired_time":)\d+/g, '<time>')
    .replace(/(?<="payment_code(?:_display)?":")[\d ]+/g, '<code>')
    .replace(drawn, '<name>');

/** Plays everything to the server in a folder; returns what was sent and what came back. */
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
      // Who polls sees other states each time; the last is what was waited for.
      if (exchanges.at(-1)?.bytes === bytes) exchanges.pop();
      exchanges.push({ bytes, text });
      // What a control sets going, such as a delivery, has an end before the next request.
      if (bytes.startsWith('POST /sandbox')) await sleep(settleMs);
      return text;
    });
    // What was sent is drawn in part, and the same for both.
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
// A server for each, so that none finds what another left.
for (const play of plays({ count: Number(count), seed: Number(seed) }))
  recorded.push(...(await record(folder, Number(port), play)));
process.stdout.write(JSON.stringify(recorded));
