import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../../scripts/run.ts';
import { bundleForNode } from '../../../test/bundle-for-node.ts';
import { oldestNode } from '../../../test/shared.ts';
import manifest from '../package.json' with { type: 'json' };
import { orderRequest } from './package/helpers/consumer.ts';

const node = join(await oldestNode(), 'node');

/** A target of the conformance suite. */
const mockTarget = join(import.meta.dirname, '../../mock/test/browser/mock-target.ts');

let folder: string;

beforeAll(async () => {
  // Below the package, so that imports are found.
  const cache = join(import.meta.dirname, '../node_modules/.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'oldest-node-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const journey = `
  import { mockTarget } from '${mockTarget}';
  import { createMockService } from '@topup-kit/mock/in-process';
  import { runConformance } from '@topup-kit/mock/conformance';
  import { createTopupClient } from '@topup-kit/sdk';
  import { createTopupClient as createLight } from '@topup-kit/sdk/light';
  import { createTopupProxy } from '@topup-kit/sdk/proxy';

  const mock = createMockService();
  const { baseUrl, apiKey, fetch } = mock;
  const outcomes = [];
  for (const create of [createTopupClient, createLight]) {
    const client = create({ baseUrl, apiKey, fetch });
    const { orderId } = await client.orders.create(${JSON.stringify(orderRequest)});
    await mock.orders.pay(orderId);
    const wait = client.orders.waitFor(orderId, { signal: AbortSignal.timeout(20_000) });
    setTimeout(() => mock.orders.deliver(orderId), 100);
    for await (const { buy_status } of wait) outcomes.push(buy_status);
    outcomes.push((await wait).outcome);
  }
  const proxy = createTopupProxy({ baseUrl, apiKey, fetch, basePath: '/api', origins: ['https://shop.test'] });
  const proxied = await proxy(new Request('https://shop.test/api/games'), { address: null });
  const results = await runConformance(mockTarget(mock, fetch));
  const failed = results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
  console.log(JSON.stringify({ node: process.version, outcomes, proxied: proxied.status, failed }));`;

it('runs client, proxy and mock on the oldest Node that package.json names', async () => {
  await writeFile(join(folder, 'journey.ts'), journey);
  const program = await bundleForNode(join(folder, 'journey.ts'), folder);

  const printed = JSON.parse(await run(node, [program], { cwd: folder }));

  expect(printed).toEqual({
    node: expect.stringMatching(new RegExp(`^v${manifest.engines.node.replace('>=', '')}\\.`)),
    outcomes: ['Proses', 'Sukses', 'delivered', 'Proses', 'Sukses', 'delivered'],
    proxied: 200,
    failed: [],
  });
});
