import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { brokenLinks } from '../../scripts/check-links.ts';

/** A built site of these files; it is deleted when the test ends. */
async function siteOf(files: Record<string, string>): Promise<{ folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'check-links-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

const link = (href: string): string => `<p>See <a class="x" href="${href}">there</a>.</p>`;

const sound = {
  'index.html': `<h1 id="top">Home</h1>${link('#top')}${link('docs/a.html#first-order')}${link('/docs/')}<img src="/a.svg" alt="">`,
  'docs/index.html': link('../index.html#top') + link('/') + link('https://vitepress.dev/?a=1&amp;b=2#c'),
  'docs/a.html': `<h2 class="x" id="first-order" tabindex="-1">First order</h2>${link('mailto:a@b.c')}<code>&lt;a href="/nowhere"&gt;</code>`,
  'a.svg': '<svg/>',
};

describe('the check of a built site', () => {
  it('finds nothing if every link has a target', async () => {
    await using site = await siteOf(sound);
    expect(brokenLinks(site.folder)).toEqual([]);
  });

  it.each([
    ['/nowhere.html', 'no such page'],
    ['nowhere', 'no such page'],
    ['../README.html#first-order', 'no such page'],
    ['/docs', 'no such page'],
    ['#nowhere', 'no such anchor'],
    ['/index.html#2-settings', 'no such anchor'],
    ['https://topup-kit.example/blob/main/Dockerfile', 'a placeholder host'],
    ['https://example.com/', 'a placeholder host'],
    ['http://shop.test/', 'a placeholder host'],
    ['http://localhost:4000/docs', 'a placeholder host'],
    ['http://127.0.0.1:4000/docs', 'a placeholder host'],
  ])('finds a broken link: %s: %s', async (href, problem) => {
    await using site = await siteOf({ ...sound, 'docs/b.html': link(href) });
    expect(brokenLinks(site.folder)).toEqual([`docs/b.html: ${href}: ${problem}`]);
  });

  it('finds a missing picture', async () => {
    await using site = await siteOf({ ...sound, 'b.html': '<img alt="" src="b.svg">' });
    expect(brokenLinks(site.folder)).toEqual(['b.html: b.svg: no such page']);
  });

  it('fails as a program, and names each broken link', async () => {
    await using site = await siteOf({ ...sound, 'b.html': link('/c.html') });
    const program = fileURLToPath(new URL('../../scripts/check-links.ts', import.meta.url));
    const checked = promisify(execFile)(process.execPath, [program, site.folder]);
    await expect(checked).rejects.toMatchObject({
      code: 1,
      stderr: `b.html: /c.html: no such page\n${site.folder}: 1 broken links\n`,
    });
  });
});
