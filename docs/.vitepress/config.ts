import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defineConfig, type MarkdownRenderer } from 'vitepress';
import { writeTexts } from './llms.ts';
import { sidebar } from './sidebar.ts';
import { downloads, excludedPages, root, siteAddress } from './sources.ts';

/** The shop on the mock, if `pnpm build:playground` has been run: the site has it at `/playground/`. */
const playground = resolve(root, 'playground');
const hasPlayground = existsSync(resolve(playground, 'index.html'));

/** Links to files and folders that are no Markdown, such as sources, lead to their pages. */
function linkToSources(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('source-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const address = siteAddress(env.path, token.attrGet('href') ?? '#');
      if (address) token.attrSet('href', address);
    }
  });
}

/** Marks short code, which should not break in a table. */
function markShortCode(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('short-code', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'code_inline' && token.content.length <= 24) token.attrJoin('class', 'short');
  });
}

/** The anchor of a heading as GitHub makes it, so that a link to it works on the site and in the repository. */
const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

/** The words of a text for the search. A name such as `PROMO_EXPIRED` is one, and so are its parts. */
const tokens = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{M}\p{N}_]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]));

/** The pages are the Markdown files of the repository, at their own paths, so that links work here and in a clone. */
export default defineConfig({
  title: 'Topup Kit',
  description:
    'A typed SDK, a mock that is the server itself, a CLI and a reference server for game top-up services.',
  srcDir: root,
  outDir: resolve(root, 'docs/.vitepress/dist'),
  cacheDir: resolve(root, 'node_modules/.cache/vitepress'),
  srcExclude: excludedPages.filter((pattern) => pattern !== 'docs/source/**'),
  rewrites: { 'README.md': 'index.md', 'docs/source/:path*': 'source/:path*' },
  markdown: {
    config: (markdown) => void markdown.use(linkToSources).use(markShortCode),
    anchor: { slugify },
  },
  async buildEnd(site) {
    if (hasPlayground) await cp(playground, resolve(site.outDir, 'playground'), { recursive: true });
    for (const file of downloads) await cp(resolve(root, file), resolve(site.outDir, file));
    await writeTexts(site.outDir);
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // Where a heading has an anchor of its own, as those of error codes, the search would take it for the end of the heading.
        _render(source, env, markdown) {
          const html = markdown.render(source, env).replaceAll(/<a id="[^"]*"><\/a>/g, '');
          return env.frontmatter?.search === false ? '' : html;
        },
        miniSearch: {
          options: { tokenize: tokens },
          searchOptions: { combineWith: 'AND' },
        },
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Quick start', link: '/#quick-start' },
      { text: 'SDK', link: '/packages/sdk/api' },
      { text: 'CLI', link: '/packages/cli/reference' },
      { text: 'The interface', link: '/docs/interface' },
      // Not a page of the site: without a target, its router would look for one.
      ...(hasPlayground ? [{ text: 'Playground', link: '/playground/', target: '_self' }] : []),
    ],
    sidebar: [...sidebar],
  },
});
