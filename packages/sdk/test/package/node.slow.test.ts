import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../../scripts/run.ts';
import { oldestNode, slowOnly } from '../../../../test/shared.ts';
import { consumer, firstOrder, firstOrderSeen, readyResponses } from './helpers/consumer.ts';

const nodes = [
  { version: 20, node: join(await oldestNode(), 'node') },
  { version: 22, node: join(dirname(await slowOnly('node-22/package.json')), 'bin/node') },
  { version: 24, node: process.execPath },
];

const print = 'console.log(JSON.stringify({ node: parseInt(process.versions.node), ...seen }))';
const esModule = (entry: string): string => `
  import * as sdk from '${entry}';
  import responses from './responses.json' with { type: 'json' };
  ${firstOrder}
  firstOrder(sdk, responses).then((seen) => ${print});`;
const commonJs = (entry: string): string => `
  const sdk = require('${entry}');
  const responses = require('./responses.json');
  ${firstOrder}
  firstOrder(sdk, responses).then((seen) => ${print});`;

describe.each(nodes)('the packed package on Node $version', ({ version, node }) => {
  it.each([
    ['import', '@topup-kit/sdk', 'order.mjs', esModule],
    ['import', '@topup-kit/sdk/light', 'order.mjs', esModule],
    ['require()', '@topup-kit/sdk', 'order.cjs', commonJs],
    ['require()', '@topup-kit/sdk/light', 'order.cjs', commonJs],
  ])('places an order with %s of %s', async (_how, entry, name, script) => {
    const folder = await consumer({ [name]: script(entry), 'responses.json': await readyResponses() });

    const printed = await run(node, [name], { cwd: folder });

    expect(JSON.parse(printed)).toEqual({ node: version, ...firstOrderSeen });
  });

  it('loads the proxy by import and by require', async () => {
    const script = `
      import { createRequire } from 'node:module';
      import * as imported from '@topup-kit/sdk/proxy';
      const required = createRequire(import.meta.url)('@topup-kit/sdk/proxy');
      const names = Object.keys(imported);
      console.log(names.length > 0 && names.every((name) => name in required));`;
    const folder = await consumer({ 'proxy.mjs': script });

    expect(await run(node, ['proxy.mjs'], { cwd: folder })).toBe('true\n');
  });

  it('recognises errors from its other copies', async () => {
    const script = `
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const copies = [
        await import('@topup-kit/sdk'),
        require('@topup-kit/sdk'),
        await import('@topup-kit/sdk/light'),
        require('@topup-kit/sdk/light'),
      ];
      const thrownBy = ({ createTopupClient }) => {
        try { createTopupClient({ baseUrl: 'ftp://shop.test' }); } catch (error) { return error; }
      };
      const errors = copies.map(thrownBy);
      console.log(new Set(copies.map(({ isTopupError }) => isTopupError)).size > 1);
      console.log(copies.every(({ isTopupError }) => errors.every((error) => isTopupError(error, 'INVALID_BASE_URL'))));`;
    const folder = await consumer({ 'copies.mjs': script });

    expect(await run(node, ['copies.mjs'], { cwd: folder })).toBe('true\ntrue\n');
  });
});
