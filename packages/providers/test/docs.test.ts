import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { gatewayNames, gateways } from '../src/registry.ts';
import { knownGateways } from './helpers/known-gateways.ts';

it('docs/going-live.md has a row of payment methods for each gateway', async () => {
  const guide = await readFile(new URL('../../../docs/going-live.md', import.meta.url), 'utf8');
  const [, table = ''] = guide.split('### Codes of payment methods\n');
  const rows = [...table.matchAll(/^\| (\w[^|]*) \|/gm)].map(([, title = '']) => title);
  const missing = gateways.filter(
    // A title begins as the name does.
    ({ name }) => !rows.some((title) => title.toLowerCase().startsWith(name.replace('-', ' '))),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

it('docs/going-live.md lists the payment methods of each gateway', async () => {
  const guide = await readFile(new URL('../../../docs/going-live.md', import.meta.url), 'utf8');
  const codesOf = (gateway: string) => {
    const [, codes = ''] = new RegExp(`^\\| ${gateway} \\| (\`.*) \\|$`, 'im').exec(guide) ?? [];
    return new Set(codes.match(/\w+/g));
  };
  for (const name of gatewayNames)
    expect([name, codesOf(name)]).toEqual([name, new Set(knownGateways[name].methods)]);
});
