import { readFileSync } from 'node:fs';

export const readGuide = (page: string): string =>
  readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');

/** What may be sent again, as a page says it: from the heading to the next. */
export const chapterOf = (page: string): string =>
  /^## What may be sent again\n[\s\S]*?(?=^## )/m.exec(readGuide(page))?.[0] ?? '';

/** The rows of the table of what may be sent again. */
export const tableRows: readonly { response: string; step: string }[] = [
  ...chapterOf('php').matchAll(/^\| (.+) \| .+ \| (\w+(?: \w+)?) \|$/gm),
]
  .map(([, response = '', step = '']) => ({ response, step }))
  .filter(({ step }) => step !== 'next step');
