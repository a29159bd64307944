import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const vague = new Set(['facts', 'one', 'told']);

/** Variables that don't name their thing, and literals whose only use is to be spread into the literal around them. */
function unclearIn(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isVariable = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);
    const name = isVariable || ts.isFunctionDeclaration(node) ? node.name?.getText() : undefined;
    const isSpread = ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression);
    if (isSpread || vague.has(name ?? '')) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1} ${isSpread ? '...{}' : name}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it('names each variable after its content, and spreads no literal into another', () => {
  const paths = globSync(
    ['packages/*/{src,scripts}/**/*.{ts,tsx}', '{scripts,examples,bench,test}/**/*.{ts,tsx}'],
    {
      cwd: root,
      exclude: ['**/node_modules/**', '**/dist/**'],
    },
  );
  expect(paths.length).toBeGreaterThan(400);
  expect(paths.flatMap((path) => unclearIn(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

it('finds vague names and literals inside of literals', () => {
  const text = `
    const one = 1;
    const { told, facts: known } = { told: one, facts: 2, ...{ known: 3 } };
    export const read = (facts: object, more?: object) => ({ ...facts, ...(more && { more }) });
    orders.map((one) => one.id);`;
  expect(unclearIn('a.ts', text)).toEqual([
    'a.ts:2 one',
    'a.ts:3 told',
    'a.ts:3 ...{}',
    'a.ts:4 facts',
    'a.ts:5 one',
  ]);
});
