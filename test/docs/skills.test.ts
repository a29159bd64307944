import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageNames } from '../../scripts/pack.ts';
import { packedTexts } from '../../scripts/packed-texts.ts';
import { blocksIn, pages, root } from './blocks.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const skills = globSync('packages/*/skills/*/SKILL.md', { cwd: root }).sort();

/** The code that tests run: the blocks of all pages, and the examples. */
const proven = new Set([
  ...pages.flatMap(blocksIn).map(({ text }) => text),
  ...globSync('examples/{webhooks,adapters}/*.ts', { cwd: root }).map(read),
]);

it('contains one skill for each published library and for the command', () => {
  expect(skills).toEqual(packageNames.map((name) => `packages/${name}/skills/topup-${name}/SKILL.md`).sort());
});

describe.each([...skills, 'AGENTS.md'])('%s', (path) => {
  it('contains only code of the documentation, where tests run it', () => {
    const blocks = blocksIn(path);
    expect(blocks.length).toBeGreaterThan(0);
    expect(blocks.filter(({ text }) => !proven.has(text)).map(({ line }) => `${path}:${line}`)).toEqual([]);
  });

  it('contains at most 200 lines', () => {
    expect(read(path).trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  });

  it('links to existing files', () => {
    const links = [...read(path).matchAll(/\]\(([^)\s#]+)/g)].map(([, target = '']) =>
      join(root, dirname(path), target),
    );
    expect(links.filter((target) => !existsSync(target))).toEqual([]);
  });
});

it.each(skills)('starts %s as the specification of skills requires', (path) => {
  const [, name = '', description = ''] =
    /^---\nname: (.+)\ndescription: (.+)\nlicense: MIT\n---\n\n# /.exec(read(path)) ?? [];
  expect(name).toBe(basename(dirname(path)));
  expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(description.length).toBeGreaterThan(80);
  expect(description.length).toBeLessThanOrEqual(1024);
});

it.each(packageNames)(
  'packs the skill of %s, AGENTS.md, and the pages that the skill names',
  async (name) => {
    const texts = await packedTexts(name);
    const skill = texts.get(`skills/topup-${name}/SKILL.md`) ?? '';
    expect(texts.has('AGENTS.md')).toBe(true);
    expect(skill).toMatch(/^---\nname: /);
    expect(skill).not.toContain('of the repository');
    for (const [, page = ''] of skill.matchAll(/\]\(\.\.\/\.\.\/([^)#]+)/g))
      expect([...texts.keys()]).toContain(page);
  },
);
