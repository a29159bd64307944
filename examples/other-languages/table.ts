import { readFileSync } from 'node:fs';

export const readGuide = (page: string): string =>
  readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');

/** Returns the chapter of a page about what may be sent again: from its heading to the next one. */
export const chapterOf = (page: string): string =>
  /^## What may be sent again\n[\s\S]*?(?=^## )/m.exec(readGuide(page))?.[0] ?? '';

/** Rows of the table about what may be sent again. */
export const tableRows: readonly { response: string; step: string }[] = [
  ...chapterOf('php').matchAll(/^\| (.+) \| .+ \| (\w+(?: \w+)?) \|$/gm),
]
  .map(([, response = '', step = '']) => ({ response, step }))
  .filter(({ step }) => step !== 'next step');
