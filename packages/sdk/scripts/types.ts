import { readFile, writeFile } from 'node:fs/promises';
import * as contract from '@topup-kit/core/contract';
import ts from 'typescript';

const contractFolder = new URL('../../core/src/contract/', import.meta.url);

/** What only the service needs. */
const internal = new Set([
  'orderIdPattern',
  'MessageBody',
  'BusinessBody',
  'ValidationBody',
  'EnvelopeBody',
  'ErrorBody',
]);

/** The value lists of the contract, by the name of the type of their values. */
const lists: Record<string, [name: string, values: readonly string[]]> = {
  TargetFieldName: ['targetFieldNames', contract.targetFieldNames],
  PaymentGroup: ['paymentGroups', contract.paymentGroups],
  PaymentMethodType: ['paymentMethodTypes', contract.paymentMethodTypes],
  PaymentStatus: ['paymentStatuses', contract.paymentStatuses],
  BuyStatus: ['buyStatuses', contract.buyStatuses],
  DiscountType: ['discountTypes', contract.discountTypes],
};

/** Of the code in this repository. */
const lineWidth = 110;

const heading = `// Generated from the contract's types: do not edit, run \`pnpm --filter @topup-kit/sdk types\`.
// These are interfaces of their own, so that editors show their names; their unions of strings are open, because newer
// services may send other strings.`;

const docOf = (node: ts.Node, source: string): string =>
  ts
    .getJSDocCommentsAndTags(node)
    .map((doc) => `${source.slice(doc.pos, doc.end)}\n`)
    .join('');

/** A value list, and the type of its values. */
function declareList(type: string, doc: string): string {
  const [name, values] = lists[type] ?? [];
  if (name === undefined || values === undefined) throw new Error(`No list has the values of ${type}.`);
  const texts = values.map((value) => `'${value}'`);
  const union = [...texts, '(string & {})'];
  const line = `export type ${type} = ${union.join(' | ')};`;
  return `${doc}export const ${name} = [${texts.join(', ')}] as const;
${doc.replace(/\.?\s*\*\/\n$/, '. Newer services may send other strings. */\n')}${line.length <= lineWidth ? line : `export type ${type} =${union.map((text) => `\n  | ${text}`).join('')};`}`;
}

function declarationsIn(path: string, source: string, wanted: (name: string) => boolean): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ES2024, true);
  return file.statements.flatMap((statement) => {
    if (ts.isInterfaceDeclaration(statement) && wanted(statement.name.text))
      return [`${docOf(statement, source)}${statement.getText()}`];
    if (ts.isTypeAliasDeclaration(statement) && wanted(statement.name.text))
      return [declareList(statement.name.text, docOf(statement, source))];
    return [];
  });
}

/** The source of `src/types.ts`, generated from the contract. */
export async function typesSource(): Promise<string> {
  const read = (name: string): Promise<string> => readFile(new URL(name, contractFolder), 'utf8');
  return `${[
    heading,
    ...declarationsIn('payment-kinds.ts', await read('payment-kinds.ts'), (name) => name === 'PaymentGroup'),
    ...declarationsIn('types.ts', await read('types.ts'), (name) => !internal.has(name)),
  ].join('\n\n')}\n`;
}

if (import.meta.main) await writeFile(new URL('../src/types.ts', import.meta.url), await typesSource());
