/**
 * `node scripts/check-links.ts FOLDER`: fails if a page of a built site links to a page or file that the site doesn't have, to an anchor
 * that the page doesn't have, or to a host that is only an example.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Matches names that nobody can register (RFC 2606 and 6761), and this machine. */
const placeholder = /(^|\.)(example(\.(com|net|org))?|test|invalid|localhost)$|^127\.|^\[::1\]$/;

const links = /<(?:a|area|img|link|script|source)\s(?:[^>]*?\s)?(?:href|src)="([^"]*)"/g;
const ids = /\sid="([^"]*)"/g;

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

const matchesOf = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, match = '']) => unescaped(match));

/** Returns the broken links of a built site, as `page: link: why`. */
export function brokenLinks(folder: string): string[] {
  const pages = new Map(
    globSync('**/*.html', { cwd: folder }).map((page) => [page, readFileSync(join(folder, page), 'utf8')]),
  );
  const anchors = new Map<string, Set<string>>();
  const anchorsOf = (page: string): Set<string> => {
    const known = anchors.get(page) ?? new Set(matchesOf(pages.get(page) ?? '', ids));
    anchors.set(page, known);
    return known;
  };
  const isFile = (path: string): boolean =>
    statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true;

  function problemOf(page: string, link: string): string | undefined {
    const url = URL.parse(link, `site:///${encodeURI(page)}`);
    if (!url) return 'not a URL';
    if (url.protocol !== 'site:') return placeholder.test(url.hostname) ? 'a placeholder host' : undefined;
    const path = decodeURIComponent(url.pathname).slice(1);
    const target = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!isFile(target)) return 'no such page';
    const anchor = decodeURIComponent(url.hash.slice(1));
    return anchor !== '' && pages.has(target) && !anchorsOf(target).has(anchor)
      ? 'no such anchor'
      : undefined;
  }

  return [...pages].flatMap(([page, html]) =>
    [...new Set(matchesOf(html, links))].flatMap((link) => {
      const problem = problemOf(page, link);
      return problem === undefined ? [] : [`${page}: ${link}: ${problem}`];
    }),
  );
}

if (import.meta.main) {
  const [folder = '.'] = process.argv.slice(2);
  const broken = brokenLinks(folder);
  const summary = `${folder}: ${broken.length === 0 ? 'no broken links' : `${broken.length} broken links`}`;
  process.stderr.write(`${[...broken, summary].join('\n')}\n`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
