import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defineConfig, type MarkdownRenderer } from 'vitepress';
import { writeTexts } from './llms.ts';
import { sidebar } from './sidebar.ts';
import { downloads, excludedPages, readPage, root, siteAddress } from './sources.ts';

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

/** Marks short code, which should not break in a table, and lets long code break between its parts. */
function breakCode(markdown: MarkdownRenderer): void {
  const { code_inline: render } = markdown.renderer.rules;
  markdown.renderer.rules.code_inline = (tokens, index, ...others) => {
    const html = render?.(tokens, index, ...others) ?? '';
    return (tokens[index]?.content.length ?? 0) <= shortCode
      ? html
      : html.replace(
          />([^<]*)</,
          (_all, text: string) =>
            `>${text.replaceAll(/(?<=[_/.=:,-])(?=\w)|(?<=[a-z])(?=[A-Z])/g, '<wbr>')}<`,
        );
  };
  markdown.core.ruler.push('short-code', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'code_inline' && token.content.length <= shortCode) token.attrJoin('class', 'short');
  });
}

/** Tells each cell of a table of three columns and more its column: on a phone, each row is a card. */
function nameColumns(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('columns', ({ tokens }) => {
    let titles: string[] = [];
    let column = 0;
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open') titles = [];
      else if (token.type === 'tr_open') column = 0;
      else if (token.type === 'th_open')
        titles.push((tokens[index + 1]?.children ?? []).map(({ content }) => content).join(''));
      else if (token.type === 'td_open' && titles.length > 2)
        token.attrSet('data-column', titles[column++] ?? '');
    }
  });
}

/** Characters of code that stay on one line. */
const shortCode = 14;

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

/** What README says first. */
const claim = /^\*\*(.+)\*\*$/m.exec(readPage('README.md'))?.[1] ?? '';
const logo = '/docs/pictures/logo.svg';
const film = '/docs/pictures/topup.svg';
const shop = '/docs/pictures/shop.png';

/** The four roles, each with its first page. */
const roles = [
  ['Integrate a service', 'Place a first order from your own code in ten minutes.', 'for-integrators'],
  [
    'Build a frontend',
    'Run a page or a test on a mock of the whole service, without a server.',
    'for-frontend-developers',
  ],
  ['Operate a shop', 'Solve a first problem with money in a rehearsal that costs nothing.', 'for-operators'],
  ['Run a server', 'Take a live server through its first sale and its first backup.', 'for-deployments'],
] as const;

/** The home page is README below its claim, its film and the roles. */
const home = {
  layout: 'home',
  features: roles.map(([title, details, page]) => ({ title, details, link: `/docs/${page}` })),
  hero: {
    name: 'Topup Kit',
    tagline: claim,
    image: {
      src: film,
      alt: 'topup orders a game item, shows the QR code, and follows the order to PAID / Sukses',
    },
    actions: [
      { theme: 'brand', text: 'Quick start', link: '#quick-start' },
      ...(hasPlayground ? [{ theme: 'alt', text: 'Playground', link: '/playground/', target: '_self' }] : []),
      { theme: 'alt', text: 'In your own code', link: '/docs/for-integrators' },
    ],
  },
};

/** The pages are the Markdown files of the repository, at their own paths, so that links work here and in a clone. */
export default defineConfig({
  title: 'Topup Kit',
  description: claim,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: logo }],
    ['meta', { property: 'og:site_name', content: 'Topup Kit' }],
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:image', content: shop }],
  ],
  srcDir: root,
  outDir: resolve(root, 'docs/.vitepress/dist'),
  cacheDir: resolve(root, 'node_modules/.cache/vitepress'),
  srcExclude: excludedPages.filter((pattern) => pattern !== 'docs/source/**'),
  rewrites: { 'README.md': 'index.md', 'docs/source/:path*': 'source/:path*' },
  markdown: {
    config: (markdown) => void markdown.use(linkToSources).use(breakCode).use(nameColumns),
    anchor: { slugify },
  },
  transformPageData(page) {
    if (page.relativePath === 'index.md') Object.assign(page.frontmatter, home);
    // Four columns need the place of the outline.
    if (page.relativePath === 'docs/settings.md') page.frontmatter.aside = false;
  },
  transformHead: ({ title, description }) => [
    ['meta', { property: 'og:title', content: title }],
    ['meta', { property: 'og:description', content: description }],
  ],
  async buildEnd(site) {
    if (hasPlayground) await cp(playground, resolve(site.outDir, 'playground'), { recursive: true });
    for (const file of [...downloads, logo, film, shop].map((path) => path.replace(/^\//, '')))
      await cp(resolve(root, file), resolve(site.outDir, file));
    await writeTexts(site.outDir);
  },
  themeConfig: {
    logo,
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
    footer: {
      message:
        '<a href="/CHANGELOG.html">Changelog</a> · <a href="/CONTRIBUTING.html">Contributing</a> · <a href="/SECURITY.html">Security</a> · <a href="/llms.txt" target="_self">Text for language models</a>',
      copyright: 'MIT licensed',
    },
    nav: [
      // Not a page of the site: without a target, its router would look for one.
      ...(hasPlayground ? [{ text: 'Playground', link: '/playground/', target: '_self' }] : []),
      { text: 'Quick start', link: '/#quick-start' },
      { text: 'SDK', link: '/docs/sdk' },
      { text: 'Mock', link: '/docs/mock' },
      { text: 'CLI', link: '/docs/cli' },
      { text: 'The interface', link: '/docs/interface' },
    ],
    sidebar: [...sidebar],
  },
});
