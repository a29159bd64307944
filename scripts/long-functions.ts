import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Maximum number of a function's own lines, without nested functions. */
export const maxOwnLines = 60;

export interface FunctionLength {
  /** File and name, such as `core/src/engine/engine.ts createEngine`. */
  name: string;
  ownLines: number;
}

const root = join(import.meta.dirname, '..', 'packages');

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;

/**
 * Lists every function of a source text with the number of its own lines, without blank lines, comments, and the content of inner
 * functions. The first and the last line of an inner function count if they are part of a statement.
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

/** Lists the functions of the packages that are too long to read at once, the longest first. */
export const longFunctions = (): FunctionLength[] =>
  globSync('*/src/**/*.{ts,tsx}', { cwd: root })
    .flatMap((path) => functionLengths(path, readFileSync(join(root, path), 'utf8')))
    .filter(({ ownLines }) => ownLines > maxOwnLines)
    .sort((a, b) => b.ownLines - a.ownLines);

if (import.meta.main)
  for (const { name, ownLines } of longFunctions()) process.stdout.write(`${ownLines} ${name}\n`);
