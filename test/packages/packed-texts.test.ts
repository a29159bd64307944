import { expect, it } from 'vitest';
import { packageNames } from '../../scripts/pack.ts';
import { packedTexts, replaceLinks, withoutComments } from '../../scripts/packed-texts.ts';
import { deadLinks } from './dead-links.ts';

it.each(packageNames)('packs %s with texts whose links have packed targets', async (name) => {
  const texts = await packedTexts(name);

  expect([...texts.keys()]).toContain('README.md');
  expect(deadLinks(texts)).toEqual([]);
});

it("packs the SDK's error codes, and the pages that its skill names", async () => {
  const texts = await packedTexts('sdk');

  expect([...texts.keys()].toSorted()).toEqual([
    ...['AGENTS.md', 'README.md', 'api.md'],
    ...['docs/errors.md', 'docs/proxy.md', 'docs/rendered-pages.md', 'docs/sdk.md', 'docs/webhooks.md'],
    'skills/topup-sdk/SKILL.md',
  ]);
  expect(texts.get('README.md')).toContain('[docs/errors.md](docs/errors.md)');
});

it('turns a link without a packed target into its path in the repository, and keeps code', async () => {
  const texts = await packedTexts('mock');

  expect(texts.get('docs/mock.md')).toContain('catalogue file (`docs/catalog.md` of the repository)');
  const code = '`orders[action](orderId)` and\n```ts\nawait orders[action](orderId);\n```\n';
  expect(replaceLinks(code, () => 'a link')).toBe(code);
});

it('finds broken links in packed texts', () => {
  const texts = new Map([
    ['README.md', '[a](docs/a.md) [b](docs/a.md#b-c) [c](#own) [d](https://d.test) `[e](e.md)`\n# Own'],
    ['docs/a.md', '# B, c\n[up](../README.md) [gone](../gone.md) [gone](#gone)'],
  ]);

  expect(deadLinks(texts)).toEqual(['docs/a.md: ../gone.md', 'docs/a.md: #gone']);
});

it('leaves out comments that say how a block is tested', () => {
  expect(withoutComments('Run:\n\n<!-- serves: 3000\n-->\n```\nnode a.js # <!-- a -->\n```\n')).toBe(
    'Run:\n\n```\nnode a.js # <!-- a -->\n```\n',
  );
});
