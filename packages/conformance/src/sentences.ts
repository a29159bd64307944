import type { Citation } from './failure.ts';
import sentences from './generated/sentences.json' with { type: 'json' };
import type { parseStatements } from './statements.ts';

type Statements = ReturnType<typeof parseStatements>;

/** A statement as plain text: the cells of a table row side by side, without marks of Markdown. */
const plainText = (text: string): string =>
  text
    .replace(/^\|\s*|\s*\|$/g, '')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** What {@link sentenceOf} reads, made from the documents; a test holds the file to it. */
export const sentenceFile = (documents: { interface: Statements; openPoints: Statements }): string => {
  const entries = [
    ...documents.interface.map(({ id, text }) => [`interface ${id}`, plainText(text)]),
    ...documents.openPoints.map(({ id, text }) => [`open-points ${id}`, plainText(text)]),
  ];
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
};

/** Not a Map, which a bundler would have to keep also where nobody reads it. */
const texts: Readonly<Record<string, string>> = sentences;

/**
 * The sentence of the contract that a citation refers to; the citation itself if there is none.
 *
 * @example
 * sentenceOf('interface 4.1/success'); // 'success | boolean | true'
 */
export const sentenceOf = (citation: Citation): string => texts[citation] ?? citation;
