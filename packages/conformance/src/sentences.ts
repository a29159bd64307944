import type { SpecReference } from './failure.ts';
import sentences from './generated/sentences.json' with { type: 'json' };
import type { parseStatements } from './statements.ts';

type Statements = ReturnType<typeof parseStatements>;

/** Converts a statement to plain text: the cells of a table row in sequence, without Markdown. */
const plainText = (text: string): string =>
  text
    .replace(/^\|\s*|\s*\|$/g, '')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Creates the content of {@link sentenceOf}'s file from the documents. A test compares them. */
export const sentenceFile = (documents: { interface: Statements; openPoints: Statements }): string => {
  const entries = [
    ...documents.interface.map(({ id, text }) => [`interface ${id}`, plainText(text)]),
    ...documents.openPoints.map(({ id, text }) => [`open-points ${id}`, plainText(text)]),
  ];
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
};

/** Not a Map, because bundlers would keep it even if it is unused. */
const texts: Readonly<Record<string, string>> = sentences;

/**
 * Returns the sentence of the contract for a citation, or the citation itself if no sentence matches.
 *
 * @example
 * sentenceOf('interface 4.1/success'); // 'success | boolean | true'
 */
export const sentenceOf = (citation: SpecReference): string => texts[citation] ?? citation;
