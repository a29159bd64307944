import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** So many lines of its own a function may have, nested functions apart: what a reader can hold. */
export const maxOwnLines = 60;

export interface FunctionLength {
  /** The file and the name, such as `core/src/engine/engine.ts createEngine`. */
  name: string;
  ownLines: number;
}

const root = join(import.meta.dirname, '..', 'packages');

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;

/**
 * Every function of a source text with the count of its own lines: blank lines, comments and what is inside of inner functions are left out. The
 * first and the last line of an inner function count where they are part of a statement.
 */
export function functionLengths(path: string, text: string): FunctionLength[] {
  const source = ts.createSourceFile(path, text, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  const isCode = text.split('\n').map((line) => !/^\s*($|\/\/|\/?\*)/.test(line));
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const lengths: FunctionLength[] = [];

  function visit(node: ts.Node, outerName: string, outer: Set<number>): void {
    const named = isFunction(node) || ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node);
    const name = (named && node.name?.getText(source)) || outerName;
    if (!isFunction(node)) {
      ts.forEachChild(node, (child) => visit(child, name, outer));
      return;
    }
    const [first, last] = [lineAt(node.getStart(source)), lineAt(node.end)];
    const own = new Set<number>();
    for (let line = first; line <= last; line += 1) if (isCode[line]) own.add(line);
    ts.forEachChild(node, (child) => visit(child, name, own));
    lengths.push({ name: `${path} ${name}`, ownLines: own.size });
    const shared = ts.isFunctionExpression(node) || ts.isArrowFunction(node) ? 1 : 0;
    for (let line = first + shared; line <= last - shared; line += 1) outer.delete(line);
  }

  visit(source, 'a function', new Set());
  return lengths;
}

/** The functions of the packages that are longer than a reader can hold, the longest first. */
export const longFunctions = (): FunctionLength[] =>
  globSync('*/src/**/*.{ts,tsx}', { cwd: root })
    .flatMap((path) => functionLengths(path, readFileSync(join(root, path), 'utf8')))
    .filter(({ ownLines }) => ownLines > maxOwnLines)
    .sort((a, b) => b.ownLines - a.ownLines);

if (import.meta.main)
  for (const { name, ownLines } of longFunctions()) process.stdout.write(`${ownLines} ${name}\n`);
