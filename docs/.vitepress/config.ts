import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type MarkdownRenderer, type SiteConfig } from 'vitepress';
import manifest from '../../packages/sdk/package.json' with { type: 'json' };

const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');
const root = fileURLToPath(new URL('../../', import.meta.url));

/** The shop on the mock, if `pnpm build:playground` has been run: the site has it at `/playground/`. */
const playground = resolve(root, 'playground');
const hasPlayground = existsSync(resolve(playground, 'index.html'));

/** The links of the navigation, which VitePress does not check. */
function checkNavigation({ pages, rewrites, site }: SiteConfig): void {
  const links = [...JSON.stringify(site.themeConfig).matchAll(/"link":"\/([^"#]*)/g)].map(([, link]) => link);
  const known = pages.map((page) => (rewrites.map[page] ?? page).replace(/(^|\/)index\.md$|\.md$/, '$1'));
  const broken = links.filter((link) => !known.includes(link ?? '') && link !== 'playground/');
  if (broken.length > 0)
    throw new Error(`The navigation links to pages that do not exist: ${broken.join(', ')}`);
}

/** Links to files of the repository that are no pages, such as sources, lead to the repository. */
function linkToRepository(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href') ?? '#';
      if (/^(#|\w+:)|\.md(#|$)/.test(href)) continue;
      const path = relative(root, resolve(dirname(env.path), decodeURI(href)));
      if (existsSync(resolve(root, path)))
        token.attrSet('href', `${repository}/blob/main/${encodeURI(path)}`);
    }
  });
}

/** The pages are the Markdown files of the repository, at their own paths, so that links work here and in a clone. */
export default defineConfig({
  title: 'Topup Kit',
  description:
    'A typed SDK, a mock that is the server itself, a CLI and a reference server for game top-up services.',
  srcDir: root,
  outDir: resolve(root, 'docs/.vitepress/dist'),
  cacheDir: resolve(root, 'node_modules/.cache/vitepress'),
  srcExclude: [
    '**/node_modules/**',
    '**/dist/**',
    'packages/*/README.md',
    'packages/core/**',
    'examples/**',
    'bench/peers/**',
    '.changeset/**',
  ],
  rewrites: { 'README.md': 'index.md' },
  markdown: { config: linkToRepository },
  async buildEnd(site) {
    checkNavigation(site);
    if (hasPlayground) await cp(playground, resolve(site.outDir, 'playground'), { recursive: true });
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'First order', link: '/#a-first-order-in-four-ways' },
      { text: 'SDK', link: '/packages/sdk/api' },
      { text: 'CLI', link: '/packages/cli/reference' },
      { text: 'The interface', link: '/docs/interface' },
      // Not a page of the site: without a target, its router would look for one.
      ...(hasPlayground ? [{ text: 'Playground', link: '/playground/', target: '_self' }] : []),
    ],
    sidebar: [
      {
        text: 'Start',
        items: [
          { text: 'What it is', link: '/' },
          { text: 'First order', link: '/#a-first-order-in-four-ways' },
        ],
      },
      {
        text: 'Build a shop',
        items: [
          { text: 'Use the SDK', link: '/docs/sdk' },
          { text: 'Errors and retries', link: '/docs/sdk#no-order-is-placed-twice' },
          { text: 'Error codes', link: '/docs/errors' },
          { text: 'Mock your frontend', link: '/docs/mock' },
          { text: 'Test your integration', link: '/docs/test-your-integration' },
          { text: 'Proxy in Next, Express, Hono, Node', link: '/docs/proxy' },
          { text: 'Generate a client', link: '/docs/generated-clients' },
          { text: 'Simulators of providers', link: '/docs/simulators' },
          { text: 'Test a Python shop', link: '/docs/python' },
          { text: 'Test a PHP shop', link: '/docs/php' },
        ],
      },
      {
        text: 'Run a server',
        items: [
          { text: 'The sandbox', link: '/docs/sandbox' },
          { text: 'The command line', link: '/docs/cli' },
          { text: 'The catalogue', link: '/docs/catalog' },
          { text: 'Your own gateway and supplier', link: '/docs/adapters' },
          { text: 'Backup and restore', link: '/docs/backup' },
          { text: 'Going live', link: '/docs/going-live' },
          { text: 'Deployment', link: '/docs/deployment' },
          { text: 'Past one database', link: '/docs/past-one-database' },
          { text: 'Operation', link: '/docs/operation' },
          { text: 'Rotating secrets', link: '/docs/secrets' },
          { text: 'Speed', link: '/bench/README' },
          { text: 'Threat model', link: '/docs/threat-model' },
          { text: 'Conformance', link: '/docs/conformance' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'SDK', link: '/packages/sdk/api' },
          { text: 'Command line', link: '/packages/cli/reference' },
          { text: 'The interface', link: '/docs/interface' },
          { text: 'What the interface leaves open', link: '/docs/open-points' },
          { text: 'Glossary and contributing', link: '/CONTRIBUTING' },
        ],
      },
    ],
  },
});
