import { readFile } from 'node:fs/promises';
import { type ErrorCode, errors } from '@topup-kit/core/contract';
import { createTopupClient, errorCodes } from '@topup-kit/sdk';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { baseUrl, rejection, responding } from '../responses.ts';

const page = await readFile(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
/** The text of each section, by its anchor. */
const sections = new Map(
  [...page.matchAll(/^### <a id="(\w+)"><\/a>(\w+)\n\n(.*?)(?=\n##|(?![\s\S]))/gms)].map(
    ([, anchor = '', title, text = '']) => [anchor, { title, text }],
  ),
);

it('has one section for each error code, with the code as title and anchor', () => {
  expect([...sections.keys()].sort()).toEqual([...errorCodes].sort());
  for (const [anchor, { title }] of sections) expect(title).toBe(anchor);
});

it('lists all codes of the contract', () => {
  expect(Object.keys(errors).filter((code) => !sections.has(code))).toEqual([]);
});

// Those of promo codes share one sentence.
it.each((Object.keys(errors) as ErrorCode[]).filter((code) => errors[code].group !== 'promo'))(
  'shows the status of %s',
  (code) => {
    expect(sections.get(code)?.text).toMatch(new RegExp(`^${errors[code].status}\\b`));
  },
);

it('is linked from errors when the homepage is no longer a placeholder', async () => {
  const homepage = packageJson.homepage.endsWith('.example') ? undefined : packageJson.homepage;
  const client = createTopupClient({
    baseUrl,
    fetch: responding(422, { success: false }, { 'X-Error-Code': 'PROMO_QUOTA' }),
  });

  expect(await rejection(client.games.list())).toMatchObject({
    docUrl: homepage && `${homepage}/docs/errors#PROMO_QUOTA`,
  });
});

it('links only to sections and pages that exist', async () => {
  const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  );
  const own = new Set([...headings, ...sections.keys()].map((anchor) => `#${anchor}`));

  for (const link of links.filter((target) => target.startsWith('#'))) expect(own).toContain(link);
  const others = new Set(
    links.filter((target) => !target.startsWith('#')).map((link) => link.replace(/#.*/, '')),
  );
  for (const file of others) await readFile(new URL(`../../../../docs/${file}`, import.meta.url));
});
