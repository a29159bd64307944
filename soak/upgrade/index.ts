import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type RandomBytes, seededRandom } from '@topup-kit/core/platform';
import { createSqliteStore, sha256Hex, upgradeStore } from '../../packages/server/src/internal.ts';
import { type Format, formats, keptSaid, keptStore } from '../../packages/server/test/formats/formats.ts';
import { schemaOf } from '../../packages/server/test/formats/rows.ts';
import { ask, serveRecorded } from '../../packages/server/test/formats/speak.ts';
import { hasCommit, takeVersion } from '../../packages/server/test/helpers/old-version.ts';
import { temporaryFolder } from '../../packages/server/test/helpers/sandbox.ts';
import { type Killed, killUpgrade } from '../../packages/server/test/helpers/upgrade-kill.ts';
import { bundleForNode } from '../../test/bundle-for-node.ts';
import type { Soak } from '../soak.ts';
import { expectSound } from '../sound.ts';

const files = formats.filter(({ engine }) => engine === 'sqlite');

/** Kills upgrades before every change of the file system and every batch of SQL, until an upgrade completes. */
async function killEverywhere(killed: Killed): Promise<number> {
  const nodeOptions = [
    '--import',
    new URL('../../packages/server/test/helpers/kill-at.ts', import.meta.url).href,
  ];
  for (let point = 1; ; point += 1) {
    const environment = { KILL_AT: String(point) };
    const { wasKilled } = await killUpgrade(killed, `at-${point}`, { nodeOptions, environment });
    if (!wasKilled) return point - 1;
  }
}

const kills = 10;

/** Kills upgrades at random moments of their last part, which writes the store. Returns how many stores kept the old format. */
async function killAnytime(killed: Killed, random: RandomBytes): Promise<number> {
  let old = 0;
  for (let count = 0; count < kills; count += 1) {
    const [share = 0] = random(1);
    const afterMs = 150 + (400 * share) / 255;
    const { left } = await killUpgrade(killed, `after-${count}`, {
      kill: (child) => setTimeout(() => child.kill('SIGKILL'), afterMs),
    });
    if (left === 'old') old += 1;
  }
  return old;
}

/** Serves an upgraded store with the new version, and its copy with the version that wrote it. Both must return the original responses. */
export async function speakAgain(format: Format, folder: string, versions: string): Promise<void> {
  const path = join(folder, `${format.name}.db`);
  writeFileSync(path, keptStore(format));
  const said = keptSaid(format);
  const upgrade = await upgradeStore({ kind: 'file', path });
  {
    await using server = await serveRecorded(`file:${path}`, said);
    const now = await ask(server.localUrl, said);
    const replays = now.replays.map(({ response }) => response);
    const expected = said.placed.map(({ response }) => response);
    if (!isDeepStrictEqual([now.orders, replays], [said.orders, expected]))
      throw new Error(`${format.name}: the upgraded store says something else`);
    await expectSound({ kind: 'file', path });
  }
  const version = takeVersion(format.commit, versions);
  await using server = await version.serve(`file:${upgrade?.copy}`, '--public-url', 'http://shop.example');
  const [first] = said.placed;
  const response = await fetch(`${server.baseUrl}/order`, {
    method: 'POST',
    headers: { 'X-API-KEY': said.key, 'Content-Type': 'application/json', ...first?.headers },
    body: first?.body ?? '',
  });
  // Time has passed, so the key may have expired. The check is only that the version opens the copy and knows its orders.
  if (response.status !== 201) throw new Error(`${format.name}: its version answers ${response.status}`);
  for (const { id } of said.orders) {
    const invoice = await fetch(`${server.baseUrl}/invoice/${id}`, { headers: { 'X-API-KEY': said.key } });
    const { order } = await invoice.json();
    if (order?.order_id !== id)
      throw new Error(`${format.name}: its version does not find ${id} in the copy`);
  }
}

export const upgrade: Soak = {
  name: 'upgrade',
  takesSeed: true,
  about:
    'Upgrades a store of every form that ever landed, with SIGKILL at every point: all orders equal, replays byte for byte, and the copy opens with the version that wrote it (from the history of the repository).',
  async run({ seed, progress }) {
    await using temporary = await temporaryFolder();
    const folder = temporary.path;
    const fresh = join(folder, 'fresh.db');
    await createSqliteStore({ path: fresh }).close();
    const program = await bundleForNode(
      fileURLToPath(new URL('../../packages/server/test/helpers/upgrade.ts', import.meta.url)),
      join(folder, 'program'),
    );
    const random = seededRandom(sha256Hex, String(seed));
    const found = { points: 0, old: 0, versions: 0 };
    for (const [index, format] of files.entries()) {
      progress(index / files.length, format.name);
      const killed = { format, folder, program, fresh: schemaOf(fresh) };
      found.points += await killEverywhere(killed);
      found.old += await killAnytime(killed, random);
      if (!hasCommit(format.commit)) continue;
      await speakAgain(format, folder, join(folder, 'versions'));
      found.versions += 1;
    }
    return `${files.length} forms: ${found.points} upgrades killed at a point and ${files.length * kills} at a random moment, of which ${found.old} left the old store; each left the old store or the new one, none half of it. ${found.versions} copies were served by the versions that wrote them.`;
  },
};
