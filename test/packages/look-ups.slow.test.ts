import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function withoutCasts(node: ts.Expression | undefined): ts.Expression | undefined {
  return node &&
    (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node))
    ? withoutCasts(node.expression)
    : node;
}

const membersOf = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types : [type]);

/** Whether a key is one of a few known texts, or no text at all. */
const isKnownKey = (key: ts.Type): boolean =>
  membersOf(key).every(
    ({ flags }) => (flags & (ts.TypeFlags.String | ts.TypeFlags.Any | ts.TypeFlags.Unknown)) === 0,
  );

/**
 * The look-ups of any text in a table that is a plain object. `table['constructor']` is a function of every object, so such a
 * table must be a Map.
 */
function findLookUps(program: ts.Program, isOurs: (file: ts.SourceFile) => boolean): string[] {
  const checker = program.getTypeChecker();
  const isTable = (expression: ts.Expression): boolean => {
    const declaration = checker.getSymbolAtLocation(expression)?.valueDeclaration;
    const value =
      declaration && ts.isVariableDeclaration(declaration)
        ? withoutCasts(declaration.initializer)
        : undefined;
    return value !== undefined && ts.isObjectLiteralExpression(value) && value.properties.length > 0;
  };
  return program
    .getSourceFiles()
    .filter(isOurs)
    .flatMap((file) => {
      const found: string[] = [];
      const visit = (node: ts.Node): void => {
        if (
          ts.isElementAccessExpression(node) &&
          isTable(node.expression) &&
          !isKnownKey(checker.getTypeAtLocation(node.argumentExpression))
        ) {
          const { line } = file.getLineAndCharacterOfPosition(node.getStart());
          found.push(`${relative(root, file.fileName)}:${line + 1} ${node.getText()}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
      return found;
    });
}

const configPath = `${root}tsconfig.json`;
const { options, fileNames } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(configPath, ts.sys.readFile).config,
  ts.sys,
  root,
);

it('never looks up a string in a plain object used as a table', () => {
  const sources = fileNames.filter((file) => /\/packages\/[^/]+\/src\//.test(file));
  expect(sources.length).toBeGreaterThan(400);
  const program = ts.createProgram(sources, options);
  const isOurs = ({ fileName }: ts.SourceFile): boolean => sources.includes(fileName);
  expect(findLookUps(program, isOurs)).toEqual([]);
}, 120_000);

it('finds each kind of look-up in a plain object', () => {
  const path = `${root}packages/core/src/planted.ts`;
  const text = `
    const typed: Record<string, number> = { a: 1 };
    const untyped = { a: 1 } as const;
    export const bad = (key: string, loose: any) => [typed[key], untyped[key as string], typed[loose]];
    export const fine = (key: 'a', index: number) => [typed[key], untyped[key], typed.a, ['x'][index]];`;
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === path
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true)
      : getSourceFile(name, ...rest);
  const program = ts.createProgram([path], options, host);
  expect(findLookUps(program, ({ fileName }) => fileName === path)).toEqual([
    'packages/core/src/planted.ts:4 typed[key]',
    'packages/core/src/planted.ts:4 untyped[key as string]',
    'packages/core/src/planted.ts:4 typed[loose]',
  ]);
}, 120_000);
