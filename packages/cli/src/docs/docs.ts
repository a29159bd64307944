import { pages, runbook } from './pages.ts';

export interface DocsPage {
  name: string;
  title: string;
  /** First paragraph of the page. */
  summary: string;
  text: string;
  /** Titles of the page's sections in order. */
  sections: string[];
}

/** Matches a heading of the second or third level, without the anchor that some headings have. */
const headingPattern = /^(#{2,3}) (?:<a id="[^"]*"><\/a>)?(.+)$/;

const fencePattern = /^```/;

interface Heading {
  level: number;
  title: string;
  line: number;
}

/** Returns the headings of a page. A `#` in code is not a heading. */
function headingsOf(lines: readonly string[]): Heading[] {
  let inCode = false;
  return lines.flatMap((text, line) => {
    if (fencePattern.test(text)) inCode = !inCode;
    const [, marks, title] = (!inCode && headingPattern.exec(text)) || [];
    return marks && title ? [{ level: marks.length, title, line }] : [];
  });
}

function pageOf(name: string, text: string): DocsPage {
  const [title = name, summary = ''] = text.split(/\n{2,}/);
  return {
    name,
    title: title.replace(/^# /, ''),
    summary: summary.replace(/\s+/g, ' '),
    text,
    sections: headingsOf(text.split('\n')).map((heading) => heading.title),
  };
}

export const docsPages: readonly DocsPage[] = Object.entries(pages).map(([name, text]) => pageOf(name, text));

export const runbookPage = pageOf('runbook', runbook);

/** Returns the anchor of a section in links: `#no-order-is-placed-twice`. */
const anchorOf = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Returns the text of a section with its subsections, by title or anchor; undefined if it is not found. */
export function sectionOf({ text }: DocsPage, title: string): string | undefined {
  const lines = text.split('\n');
  const headings = headingsOf(lines);
  const start = headings.find((heading) => anchorOf(heading.title) === anchorOf(title));
  if (!start) return undefined;
  const end = headings.find(({ level, line }) => line > start.line && level <= start.level);
  return lines.slice(start.line, end?.line).join('\n').trim();
}
