import type { SpecReference } from './failure.ts';
import sentences from './generated/sentences.json' with { type: 'json' };
import type { parseStatements } from './statements.ts';

type Statements = ReturnType<typeof parseStatements>;

/** A statement as plain text: the cells of a table row in sequence, without Markdown. */
const plainText = (text: string): string =>
  text
    .replace(/^\|\s*|\s*\|$/g, '')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The content of {@link sentenceOf}'s file, created from the documents; a test compares them. */
export const sentenceFile = (documents: { interface: Statements; openPoints: Statements }): string => {
  const entries = [
    ...documents.interface.map(({ id, text }) => [`interface ${id}`, plainText(text)]),
    ...documents.openPoints.map(({ id, text }) => [`open-points ${id}`, plainText(text)]),
  ];
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
};

/** Not a Map, which bundlers would keep even if unused. */
const texts: Readonly<Record<string, string>> = sentences;

/**
 * The sentence of the contract that a citation refers to, or the citation itself without one.
 *
 * @example
 * sentenceOf('interface 4.1/success'); // 'success | boolean | true'
 */
export const sentenceOf = (citation: SpecReference): string => texts[citation] ?? citation;
