import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** The pages that people read; not the interface, whose words are not ours, nor what is generated from the code, except the help. */
const pages = globSync(
  [
    '*.md',
    'docs/**/*.md',
    'decisions/*.md',
    'examples/**/README.md',
    'packages/*/README.md',
    'packages/cli/reference.md',
    'packages/cli/reference/*.md',
    'packages/*/skills/**/*.md',
    'packages/*/template/*.md',
    '*/README.md',
  ],
  { cwd: root, exclude: ['**/node_modules/**', 'docs/.vitepress/**', 'docs/source/**', 'docs/interface.md'] },
).toSorted();

/** Words that a reader with English as a third language looks up, and beginnings with the object; each with what to write. */
const banned: readonly [RegExp, string][] = [
  [/\bwho(?:m|so)?ever\b/i, 'everyone who, people who'],
  [/\bbesides?\b/i, 'in addition to, next to, and'],
  [/\bseldom\b/i, 'rarely'],
  [/\ball the same\b/i, 'anyway, still'],
  [/\bby (?:itself|themselves)\b/i, 'automatically, alone'],
  [/\bat once\b/i, 'immediately, at the same time'],
  [/\bborne\b/i, 'paid'],
  [/\btold\b/i, 'learns, gets, is sent'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, correct'],
  [/\bnews\b/i, 'event, report'],
  [/\bunproven\b/i, 'unverified'],
  [/\btheirs\b/i, 'name the noun'],
  [/\b(?:amongst|whilst|hence|thereby|therein|thereof|wherein)\b/i, 'among, while, so'],
  [/(?:^|[.:;] )Of (?:an?|the|each|several|what|these|those|all)\b/, 'begin with the subject'],
];

/** What the program prints stays as it is: blocks, code, quotations, and the advice of alerts in the runbook. */
const proseOf = (text: string): string =>
  text
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^\*\*In short:\*\*[\s\S]*?(?=\n\n)/gm, '')
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/"[^"\n]*"/g, '')
    .replaceAll(/\n(?![\n|#-]|\d+\. )\s*/g, ' ');

const problemsOf = (text: string): string[] =>
  proseOf(text)
    .split('\n')
    .flatMap((line) =>
      banned.flatMap(([pattern, better]) => {
        const found = pattern.exec(line);
        return found ? [`"${found[0]}" (better: ${better}) in: ${line.slice(0, 200)}`] : [];
      }),
    );

it.each([
  ['a rare word', 'For whoever runs a server.'],
  ['a rare word across two lines', 'The server does it all the\nsame.'],
  ['an object before its subject', 'It works. Of several servers, one sends each event.'],
])("finds a word that isn't plain: %s", (_, text) => {
  expect(problemsOf(text)).toHaveLength(1);
});

it('skips code, quotations and the advice of alerts', () => {
  const texts = ['`news`', '```\nwhoever\n```', 'It says "at once".', '**In short:** Mend it.\n\nDone.'];
  expect(texts.flatMap(problemsOf)).toEqual([]);
});

it.each(pages)('uses everyday words in %s', (page) => {
  expect(problemsOf(readFileSync(join(root, page), 'utf8'))).toEqual([]);
});
