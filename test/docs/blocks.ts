import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** The pages whose blocks are run: README, the guides, and the READMEs of examples and packages. */
export const pages = globSync(
  ['README.md', 'docs/**/*.md', 'examples/**/README.md', 'packages/*/README.md'],
  {
    cwd: root,
    exclude: ['**/node_modules', 'docs/source', 'docs/.vitepress'],
  },
).sort();

/**
 * What comments directly above a fence say of its block; readers do not see them.
 *
 * - `not run: WHY`: no test runs the block.
 * - `run by: FILE: "TEST"`: that test runs the same commands in its own way.
 * - `before: COMMANDS`: the reader comes with this done, such as a shop that has an order.
 * - `meanwhile: COMMANDS`: what the reader does elsewhere while the block runs, such as paying.
 * - `serves: PORT`: the last command of the block listens there until the reader stops it.
 * - `exits with: CODE`: a command of the block ends with this code, as the page says.
 */
const marks = ['not run', 'run by', 'before', 'meanwhile', 'serves', 'exits with'] as const;
type Mark = (typeof marks)[number];

/** A fenced block of a page. */
export interface Block {
  /** The path of the page from the root. */
  page: string;
  /** The line of the block's fence. */
  line: number;
  /** The word after the fence. Shell commands may have none. */
  language: string;
  text: string;
  /** The file to which the reader writes the block: the last one of this language that the paragraph above names. */
  file: string | undefined;
  marks: Partial<Record<Mark, string>>;
}

/** The endings of the files in which a block of a language can be. */
const endings: Record<string, string> = {
  ts: 'ts|mts|mjs|js',
  js: 'js|cjs|mjs',
  html: 'html',
  json: 'json',
  python: 'py',
  php: 'php',
  go: 'go',
  java: 'java',
};

/** The paragraph above, the comments, and the block; a block may be indented in a list. */
const fenced = /((?:^.+\n)*\n?)((?:^ *<!-- (?:(?!-->)[\s\S])*-->\n)*)^( *)```([\w-]*)\n([\s\S]*?)^ *```$/gm;
const comments = /<!-- ([a-z ]+): ((?:(?!-->)[\s\S])*?)\s*-->/g;

function marksOf(text: string, place: string): Block['marks'] {
  const found: Block['marks'] = {};
  for (const [, name, value = ''] of text.matchAll(comments)) {
    const mark = marks.find((known) => known === name);
    if (mark === undefined) throw new Error(`${place}: a block can be ${marks.join(', ')}; not "${name}".`);
    found[mark] = value;
  }
  return found;
}

function fileOf(paragraph: string, language: string): string | undefined {
  const names = paragraph.matchAll(new RegExp(`\`([\\w.-]+\\.(?:${endings[language]}))\``, 'g'));
  return [...names].at(-1)?.[1];
}

/** The blocks of a page, in its order. */
export function blocksIn(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(fenced)].map(
    ({ index, 1: paragraph = '', 2: above = '', 3: indent = '', 4: language = '', 5: body = '' }) => {
      const line = text.slice(0, index + paragraph.length + above.length).split('\n').length;
      return {
        page,
        line,
        language,
        text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
        file: fileOf(paragraph, language),
        marks: marksOf(above, `${page}:${line}`),
      };
    },
  );
}

/**
 * The texts of the blocks of a language of a page, for a test that runs all of them: `blocks.test.ts` then takes them as
 * run. It must get them by the names of the page and the language.
 *
 * @param count how many the test knows
 */
export function blocksOf(page: string, language: string, count?: number): string[] {
  const texts = blocksIn(page)
    .filter((block) => block.language === language)
    .map(({ text }) => text);
  if (texts.length === 0 || (count !== undefined && texts.length !== count))
    throw new Error(`${page} has ${texts.length} blocks of ${language}, of which this test knows ${count}.`);
  return texts;
}
