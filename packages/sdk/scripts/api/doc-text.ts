import ts from 'typescript';

/** A doc comment on one line. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const docOf = (symbol: ts.Symbol, checker: ts.TypeChecker): string =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker));

/** The three ways in which doc comments here tell a default. */
const tellings = [
  /(?:^|[;:,.] )([^;:,.]+) when left out/,
  /When left out: ([^;:,.]+)/,
  /(`[^`]+`), the default/,
];

/** The default that a doc comment tells: `30 000 when left out`. Empty when it tells none. */
export function defaultIn(doc: string): string {
  const found = tellings.map((telling) => telling.exec(onOneLine(doc))?.[1]);
  return found.find((told) => told !== undefined) ?? '';
}

/** What stands behind each `@throws`: the class, and what for. */
export const throwsOf = (symbol: ts.Symbol): string[] =>
  symbol
    .getJsDocTags()
    .filter(({ name }) => name === 'throws')
    .map(({ text }) => onOneLine(ts.displayPartsToString(text)));
