import type { SpecReference } from './failure.ts';
import type { ConformanceCase } from './probe.ts';

/** A sentence, list item or table row of a document. */
interface Statement {
  /** Section and first words: `2.1/populer`, `5/Every-public-route-catalogue-order-creation`. */
  id: string;
  text: string;
}

/** A statement before it gets an id. The id uses only as many words as it needs to be unique. */
interface Draft {
  section: string;
  parts: string[];
  text: string;
}

const slug = (text: string): string => text.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-|-$/g, '');
const firstWords = 6;

function proseParts(sentence: string): string[] {
  const words = slug(sentence).split('-');
  return [words.slice(0, firstWords).join('-'), ...words.slice(firstWords)];
}

function rowParts(row: string): string[] {
  const cells = row.split('|').slice(1, -1).map(slug);
  return cells.filter((cell) => cell !== '').map((cell) => proseParts(cell)[0] ?? '');
}

/** Returns `2.1` for a numbered heading; for another heading, its text up to a bracket or colon. */
function sectionOf(heading: string): string {
  const title = heading.replace(/^#+ /, '');
  return /^\d+(\.\d+)*/.exec(title)?.[0] ?? slug(title.replace(/[(:].*$/, ''));
}

/** Splits text after a full stop that is followed by a capital letter, a digit or a name in code. */
const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?][`*)"]{0,2})\s+(?=`|[*("]{0,2}[A-Z0-9])/).filter((sentence) => slug(sentence) !== '');

/** Groups lines: a list item or paragraph with its continuation lines, or a single row or line of code. */
function blocksOf(lines: readonly string[]): string[] {
  const blocks: string[] = [];
  let open = false;
  let code = false;
  for (const line of lines) {
    if (line.startsWith('```')) code = !code;
    const alone = code || /^(#|\||```)/.test(line);
    const starts = alone || !open || /^\s*([-*]|\d+\.)\s/.test(line);
    if (starts) blocks.push(line);
    else blocks.push(`${blocks.pop()} ${line.trim()}`);
    open = !alone && line.trim() !== '';
  }
  return blocks.filter((block) => block.trim() !== '' && !block.startsWith('```'));
}

/** Tells whether a block is the header row of a table, which states nothing. */
const isHeader = (blocks: readonly string[], index: number): boolean =>
  /^\|[-| ]+$/.test(blocks[index + 1] ?? '');
const isRuler = (block: string): boolean => /^\|[-| ]+$/.test(block);

function draftsOf(markdown: string): Draft[] {
  const blocks = blocksOf(markdown.split('\n'));
  let section = '';
  return blocks.flatMap((block, index) => {
    if (block.startsWith('#')) section = sectionOf(block);
    if (block.startsWith('#') || isRuler(block) || (block.startsWith('|') && isHeader(blocks, index)))
      return [];
    if (block.startsWith('|')) return [{ section, parts: rowParts(block), text: block }];
    return sentencesOf(block.replace(/^\s*([-*]|\d+\.)\s/, '')).map((text) => ({
      section,
      parts: proseParts(text),
      text,
    }));
  });
}

function idOf(draft: Draft, all: readonly Draft[]): string {
  const id = (count: number, { parts }: Draft): string => parts.slice(0, count).join('-');
  const others = all.filter((other) => other !== draft && other.section === draft.section);
  const enough = draft.parts.findIndex((_part, index) =>
    others.every((other) => id(index + 1, other) !== id(index + 1, draft)),
  );
  return `${draft.section}/${id(enough === -1 ? draft.parts.length : enough + 1, draft)}`;
}

/**
 * Returns the statements of a Markdown document: every table row, list item and sentence below a heading.
 *
 * @example
 * parseStatements(await readFile('docs/interface.md', 'utf8'))[0]?.text;
 */
export function parseStatements(markdown: string): Statement[] {
  const drafts = draftsOf(markdown);
  return drafts.map((draft) => ({ id: idOf(draft, drafts), text: draft.text }));
}

/** Differences between cases and documents. All lists are empty if there are none. */
interface CoverageReport {
  /** Statements that no case cites and that are not excused. */
  uncovered: string[];
  /** Citations and excuses of statements that no document contains. */
  stale: string[];
  /** Statements that are excused although a case proves them. */
  excusedAndCited: string[];
}

/** The sections of the interface whose statements must all be tested. */
const provenSections = /^(2|4|5|7)[./]/;

/**
 * Compares the citations of the cases with the statements of the documents.
 *
 * @example
 * checkCoverage({
 *   interface: parseStatements(interfaceText),
 *   openPoints: parseStatements(openPointsText),
 *   cases: conformanceCases,
 *   notProvable,
 * }).uncovered; // ['interface 2.1/sort: | sort | integer | sort position |']
 */
export function checkCoverage(given: {
  interface: readonly Statement[];
  openPoints: readonly Statement[];
  cases: readonly Pick<ConformanceCase, 'cites'>[];
  notProvable: Partial<Record<SpecReference, string>>;
}): CoverageReport {
  const cited = new Set<string>(given.cases.flatMap(({ cites }) => cites));
  const excused = new Set(Object.keys(given.notProvable));
  const known = new Set([
    ...given.interface.map(({ id }) => `interface ${id}`),
    ...given.openPoints.map(({ id }) => `open-points ${id}`),
  ]);
  const required = given.interface.filter(({ id }) => provenSections.test(id));
  return {
    uncovered: required
      .filter(({ id }) => !cited.has(`interface ${id}`) && !excused.has(`interface ${id}`))
      .map(({ id, text }) => `interface ${id}: ${text}`),
    stale: [...cited, ...excused].filter((citation) => !known.has(citation)),
    excusedAndCited: [...excused].filter((citation) => cited.has(citation)),
  };
}

/** Statements of the interface that no request can prove, each with the reason. */
export const notProvable: Partial<Record<SpecReference, string>> = {
  'interface 2.4/The-currency-unit-is-not-stated': 'only says what the document leaves open',
  'interface 2.4/How-payment_fee-and-unique_code-combine-into': 'only says what the document leaves open',
  'interface 2.5/Product-referenced-by-product_id-fields-not': 'only says what the document leaves open',
  'interface 2.5/Payment-method-referenced-by-payment_method_id-fields':
    'only says what the document leaves open',
  'interface 2.5/Promo-referenced-by-promo_code-fields-and': 'only says what the document leaves open',
  'interface 4.3/Their-methods-paths-and-payloads-not': 'only says what the document leaves open',
  'interface 5/How-keys-are-issued-rotated-or': 'only says what the document leaves open',
  'interface 7.1/The-set-of-error_code-values-only': 'only says what the document leaves open',
  'interface 7.2/Body-of-404-and-500-responses': 'only says what the document leaves open',
  'interface 5/The-key-is-a-server-side': 'is a rule for the holder of the key, not for the service',
  'interface 5/It-is-not-to-be-embedded': 'is a rule for the holder of the key, not for the service',
  'interface 7.2/POST-order-500': "a client can't make a gateway or a store fail",
};
