import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeTexts } from '../../docs/.vitepress/llms.ts';
import { pagePaths, titleOf } from '../../docs/.vitepress/sources.ts';

let folder: string;
let index: string;
let full: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'llms-'));
  await writeTexts(folder);
  [index = '', full = ''] = await Promise.all(
    ['llms.txt', 'llms-full.txt'].map((name) => readFile(join(folder, name), 'utf8')),
  );
});
afterAll(() => rm(folder, { recursive: true }));

const addressOf = (page: string): string => (page === 'README.md' ? '/index.md' : `/${page}`);

it('lists each page once, with a title that is not a path', () => {
  const listed = [...index.matchAll(/^- \[(.+?)\]\((\/[^)]*)\)(: .+)?$/gm)];
  expect(listed.map(([, , address]) => address).sort()).toEqual(pagePaths().map(addressOf).sort());
  expect(listed.filter(([, title = '']) => title.endsWith('.md'))).toEqual([]);
});

it('follows llmstxt.org: a title, a summary, and chapters, the last of which can be skipped', () => {
  expect(index).toMatch(/^# Topup Kit\n\n> \S.*\n\n/);
  const chapters = [...index.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(chapters).toEqual([
    ...['Start', 'Integrate a service', 'Build a frontend', 'Operate a shop', 'Run a server'],
    ...['Reference', 'Optional'],
  ]);
  expect(index).toContain('[The CLI](/docs/cli.md): How `topup` behaves:');
});

it('contains the text of each page in one file', () => {
  for (const page of pagePaths())
    expect(full, page).toContain(`<!-- ${addressOf(page)} -->\n\n# ${titleOf(page)}`);
});

it('links from every text to existing Markdown files', () => {
  const code = /^```.*?^```$|`[^`\n]*`/gms;
  const links = [...`${index}${full}`.replaceAll(code, '').matchAll(/\]\(([^)\s#]+\.md)(#[^)\s]*)?\)/g)];
  const paths = [...new Set(links.map(([, path = '']) => path))].filter((path) => !URL.canParse(path));
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !path.startsWith('/') || !existsSync(join(folder, path)))).toEqual([]);
});
