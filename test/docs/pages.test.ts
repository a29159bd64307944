import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alertDescriptions } from '@topup-kit/core/engine';
import { describe, expect, it } from 'vitest';
import { pagePaths, readPage } from '../../docs/.vitepress/sources.ts';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const read = (page: string): string => readFileSync(docs + page, 'utf8');
/** The interface is not ours to change. */
const pages = globSync('*.md', { cwd: docs }).filter((page) => page !== 'interface.md');

it.each(pages)("starts %s with the page's purpose and readers", (page) => {
  expect(read(page)).toMatch(/^# .+\n\n.+\nFor .+\n\n/);
});

it('says only in README and docs/install.md that nothing is on npm yet', () => {
  const files = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'packages/*/*.md'], {
    cwd: join(docs, '..'),
    exclude: ['**/node_modules/**', 'docs/.vitepress/**', 'CHANGELOG.md'],
  });
  const saying = files.filter((file) =>
    /not (yet )?on (the )?npm|npm registry yet/i.test(read(`../${file}`)),
  );
  expect(saying.toSorted()).toEqual(['README.md', 'docs/install.md']);
});

it('allows over 3,000 words only in references', () => {
  const references = ['bench/README.md', 'docs/open-points.md', 'packages/sdk/api.md'];
  const long = pagePaths().filter((page) => readPage(page).split(/\s+/).length > 3_000);
  const isReference = (page: string): boolean =>
    references.includes(page) || page.startsWith('packages/cli/reference');
  expect(long.filter((page) => !isReference(page))).toEqual([]);
});

describe('the first pages', () => {
  const first = pages.filter((page) => page.startsWith('for-'));

  it('has a first page for each kind of reader', () => {
    const people = ['deployments', 'frontend-developers', 'integrators', 'operators'];
    expect(first.toSorted()).toEqual(people.map((person) => `for-${person}.md`));
  });

  it.each(first)('keeps %s within 900 words', (page) => {
    expect(read(page).split(/\s+/).length).toBeLessThanOrEqual(900);
  });

  it.each(first)('links to %s at the start of the README', (page) => {
    expect(read('../README.md')).toContain(`](docs/${page})`);
  });
});

it('lists the alerts of doctor in docs/cli.md, in the same sequence', () => {
  const names = Object.values(alertDescriptions).map(({ check }) => `\`${check}\``);
  const [alerts = ''] = /^3\. The alerts[\s\S]*?`limits`/m.exec(read('cli.md')) ?? [];
  expect(alerts.match(/`\w+`/g)).toEqual(names);
});
