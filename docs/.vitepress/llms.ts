import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import kit from '../../package.json' with { type: 'json' };
import { replaceLinks, withoutComments } from '../../scripts/packed-texts.ts';
import { pagesOf, sidebar } from './sidebar.ts';
import { pagePaths, readPage, siteAddress, titleOf } from './sources.ts';

/** The address on the site of a page as Markdown. */
const textAddress = (page: string): string => `/${page === 'README.md' ? 'index.md' : page}`;

/** A page as Markdown whose links lead to places of the site. Of a picture only its words are left. */
function pageText(page: string): string {
  const words = withoutComments(readPage(page)).replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1');
  const text = replaceLinks(words, ({ all, label, target, anchor }) => {
    const linked = new URL(target, `page:///${page}`).pathname.slice(1);
    if (linked.endsWith('.md')) return `[${label}](${textAddress(linked)}${anchor})`;
    const address = siteAddress(page, target);
    return address === undefined ? all : `[${label}](${address}${anchor})`;
  });
  return `${text.trim()}\n`;
}

/** The first sentence of a page, without its markup; empty for one that begins with a table, a list or code. */
function summaryOf(page: string): string {
  const paragraph = /^# .*\n+((?:(?!```)[\w*[`"].*\n?)*)/m.exec(readPage(page))?.[1] ?? '';
  const text = paragraph
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .trim();
  return (/^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text).replace(/:$/, '.');
}

function entry(page: string, title: string): string {
  const summary = summaryOf(page);
  return `- [${title}](${textAddress(page)})${summary === '' ? '' : `: ${summary}`}`;
}

interface Chapter {
  title: string;
  pages: { path: string; title: string }[];
}

/** Every page once: those of the sidebar in its sections, and the others in one that a reader may skip. */
function chapters(): Chapter[] {
  const left = new Set(pagePaths());
  const sections = sidebar.map(({ text, items }) => ({
    title: text,
    pages: pagesOf(items).flatMap((item) => {
      const path = item.link === '/' ? 'README.md' : `${item.link.slice(1)}.md`;
      return left.delete(path) ? [{ path, title: item.text }] : [];
    }),
  }));
  const others = [...left].sort().map((path) => ({ path, title: titleOf(path) }));
  return [...sections, { title: 'Optional', pages: others }];
}

/** `llms.txt`: what the site has, for language models, in the form of https://llmstxt.org. */
export function llmsIndex(): string {
  const lists = chapters().map(
    ({ title, pages }) => `## ${title}\n\n${pages.map((page) => entry(page.path, page.title)).join('\n')}\n`,
  );
  const all = 'All pages in one file: [llms-full.txt](/llms-full.txt).';
  return [`# Topup Kit\n`, `> ${kit.description}\n`, `${all}\n`, ...lists].join('\n');
}

/** `llms-full.txt`: all pages as one Markdown text, each after a line with its address. */
export const llmsFull = (): string =>
  chapters()
    .flatMap(({ pages }) => pages)
    .map(({ path }) => `<!-- ${textAddress(path)} -->\n\n${pageText(path)}`)
    .join('\n');

/** Writes `llms.txt`, `llms-full.txt` and each page as Markdown into a built site. */
export async function writeTexts(folder: string): Promise<void> {
  await writeFile(join(folder, 'llms.txt'), llmsIndex());
  await writeFile(join(folder, 'llms-full.txt'), llmsFull());
  for (const page of pagePaths()) {
    const file = join(folder, textAddress(page));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, pageText(page));
  }
}
