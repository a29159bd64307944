import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Markdown that is no page of the site. The READMEs of packages are for the registry, with absolute links. */
export const excludedPages = [
  '**/node_modules/**',
  '**/dist/**',
  'docs/source/**',
  'packages/*/README.md',
  // For assistants.
  'AGENTS.md',
  'packages/*/skills/**',
  'packages/*/template/**',
  'test/agents/**',
  'packages/core/**',
  'packages/conformance/**',
  'packages/suites/**',
  'bench/peers/**',
  'test/slow-only/**',
  'scripts/on-demand/**',
  '.changeset/**',
];

/** Files that the site serves as they are, because people import them and nobody reads them. */
export const downloads = ['examples/collections/postman/topup-kit.postman_collection.json'];

const isFolder = (path: string): boolean => statSync(resolve(root, path)).isDirectory();
const exists = (path: string): boolean =>
  statSync(resolve(root, path), { throwIfNoEntry: false }) !== undefined;

/**
 * The path on the site of a file or folder of the repository. It has neither brackets, which are VitePress's own, nor dots, from
 * which hosts would take a type: `nginx-conf`.
 */
const sitePath = (path: string): string => path.replace(/\[\.*(\w+)\]/g, '$1').replaceAll('.', '-');

/** The path in the repository that a link of a page leads to; undefined for an anchor, or an address of its own. */
const linkedPath = (page: string, href: string): string | undefined =>
  /^([#/]|\w+:)/.test(href)
    ? undefined
    : relative(root, resolve(root, dirname(page), decodeURI(href.replace(/#.*/, ''))));

const hasReadme = (folder: string): boolean => exists(join(folder, 'README.md'));

/**
 * The address on the site of what a page links to; undefined where VitePress finds it by itself. A folder leads to its
 * README, or to a page that lists it.
 */
export function siteAddress(page: string, href: string): string | undefined {
  const path = linkedPath(page, href);
  // It is the home page.
  if (path === 'README.md') return href.replace(/^[^#]*/, '/');
  if (path === undefined || path.endsWith('.md') || !exists(path)) return undefined;
  if (downloads.includes(path)) return `/${path}`;
  return isFolder(path) && hasReadme(path) ? `/${path}/README.html` : `/source/${sitePath(path)}.html`;
}

/** The Markdown files of the repository that are pages of the site. */
export const pagePaths = (): string[] => globSync('**/*.md', { cwd: root, exclude: excludedPages });

export const readPage = (path: string): string => readFileSync(resolve(root, path), 'utf8');

/** The files and folders that pages link to, and what is in these folders. */
function linkedPaths(): Set<string> {
  const linked = new Set<string>();
  const add = (path: string): void => {
    if (path.endsWith('.md') || downloads.includes(path) || linked.has(path) || !exists(path)) return;
    if (isFolder(path)) {
      if (hasReadme(path)) return;
      for (const name of readdirSync(resolve(root, path))) add(join(path, name));
    }
    linked.add(path);
  };
  for (const page of pagePaths())
    for (const [, image, href = ''] of readPage(page).matchAll(/(!\[[^\]]*)?\]\(([^)\s]+)(?: "[^"]*")?\)/g)) {
      const path = image ? undefined : linkedPath(page, href);
      if (path) add(path);
    }
  return linked;
}

const languages: Record<string, string> = {
  '.conf': 'nginx',
  '.service': 'ini',
  '.timer': 'ini',
  '.env': 'ini',
};
const languagesOfNames: Record<string, string> = { Dockerfile: 'docker', Caddyfile: 'txt', LICENSE: 'txt' };

function fileContent(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const language = languagesOfNames[name] ?? languages[extname(name)] ?? extname(name).slice(1);
  return `# ${name}\n\n\`${path}\` of the repository.\n\n\`\`\`\`${language}\n${readPage(path)}\n\`\`\`\``;
}

/** The pages in a folder, in the order in which a page links to them. */
export const linkedPages = (page: string, folder: string): string[] =>
  [...readPage(page).matchAll(/\]\(([^)\s#]+\.md)\)/g)]
    .map(([, href = '']) => linkedPath(page, href) ?? '')
    .filter((path) => path.startsWith(folder));

/** The heading of a Markdown file. */
export const titleOf = (path: string): string => /^# (.+)$/m.exec(readPage(path))?.[1] ?? path;

function folderContent(path: string): string {
  const entries = readdirSync(resolve(root, path)).map((name) => {
    const entry = join(path, name);
    return name.endsWith('.md')
      ? `- [${titleOf(entry)}](/${entry})`
      : `- [${name}](/source/${sitePath(entry)}.html)`;
  });
  return `# ${path}\n\n${entries.join('\n')}`;
}

/** A page for each file and folder that pages link to, so that the site needs no other address. */
export const sourcePages = (): { params: { path: string }; content: string }[] =>
  [...linkedPaths()].map((path) => ({
    params: { path: sitePath(path) },
    content: isFolder(path) ? folderContent(path) : fileContent(path),
  }));
