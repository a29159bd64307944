/** `node scripts/without.ts NAME...`: removes rooms from a copy of the tree, and type-checks the rest (decisions/044). */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { copyTree, type TreeCopy } from '../test/docs/copy-tree.ts';
import { roomLists } from './room-lists.ts';

/** Parts of a room: its files, and the lists that contain it. */
export interface Taken {
  /** Files of the room, by their paths from the root. */
  files: string[];
  /** Lists with lines about the room. */
  lists: string[];
  /** Errors of the compiler in the rest; empty if it compiles. */
  errors: string;
}

/** Parts that are made from a room, and are removed with it: other rooms, and packages. */
const madeOf: Readonly<Record<string, { rooms: readonly string[]; packages: readonly string[] }>> = {
  sandbox: { rooms: ['mcp'], packages: ['mock'] },
};

/** Folders that contain the rooms' folders. A room has the same name in each of them. */
const places = ['features/**', 'commands', 'store'];

const foldersOf = (root: string, name: string): string[] =>
  places.flatMap((place) => globSync(`packages/*/src/${place}/${name}/`, { cwd: root }));

/** Tells whether a module specifier in a file leads into one of the folders. */
function leadsInto(file: string, specifier: string, folders: readonly string[]): boolean {
  const target = resolve(dirname(file), specifier);
  return specifier.startsWith('.') && folders.some((folder) => `${target}/`.startsWith(`${folder}/`));
}

/** Returns the entry of a list that contains a reference: a property, a part of a type, an element, or a whole statement. */
function entryOf(node: ts.Node): ts.Node {
  const isEntry =
    ts.isObjectLiteralElement(node) ||
    ts.isTypeElement(node) ||
    ts.isStatement(node) ||
    (ts.isArrayLiteralExpression(node.parent) && !ts.isPropertyAssignment(node.parent.parent)) ||
    ts.isIntersectionTypeNode(node.parent);
  return isEntry ? node : entryOf(node.parent);
}

/** Returns the text of a list without the entries that need files in the folders; null if it has no such entries. */
function withoutEntries(path: string, folders: readonly string[]): string | null {
  const text = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const gone = new Set<ts.Node>();
  const names = new Set<string>();
  const isGone = (specifier: ts.Expression | undefined): boolean =>
    specifier !== undefined && ts.isStringLiteral(specifier) && leadsInto(path, specifier.text, folders);
  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement) && isGone(statement.moduleSpecifier)) gone.add(statement);
    if (!ts.isImportDeclaration(statement) || !isGone(statement.moduleSpecifier)) continue;
    gone.add(statement);
    const bindings = statement.importClause?.namedBindings;
    if (bindings && ts.isNamespaceImport(bindings)) names.add(bindings.name.text);
    else for (const { name } of bindings?.elements ?? []) names.add(name.text);
  }
  const visit = (node: ts.Node): void => {
    if (gone.has(node)) return;
    const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const isName =
      ts.isIdentifier(node) &&
      names.has(node.text) &&
      // The name of a property is not a reference, unless it is also the property's value.
      !(
        (ts.isPropertyAssignment(node.parent) || ts.isPropertySignature(node.parent)) &&
        node.parent.name === node
      );
    if (isName || (isDynamic && isGone(node.arguments[0]))) gone.add(entryOf(node));
    else ts.forEachChild(node, visit);
  };
  visit(file);
  if (gone.size === 0) return null;
  return [...gone]
    .sort((a, b) => b.getFullStart() - a.getFullStart())
    .reduce((rest, node) => {
      const after = rest.slice(node.end);
      const before = rest.slice(0, node.getFullStart());
      // Includes the comma or the operator that separates the entry from its neighbour.
      return /^\s*,/.test(after)
        ? before + after.replace(/^\s*,/, '')
        : before.replace(/[&|]\s*$/, '') + after;
    }, text);
}

/** Removes rooms from the tree below `root`. */
export function takeOut(root: string, named: readonly string[]): Omit<Taken, 'errors'> {
  const rooms = new Set(named.flatMap((name) => [name, ...(madeOf[name]?.rooms ?? [])]));
  const folders = [...rooms].flatMap((name) => {
    const found = foldersOf(root, name);
    if (found.length === 0) throw new Error(`No folder of ${places.join(', ')} is called ${name}.`);
    return found;
  });
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).sort();
  const absolute = folders.map((folder) => join(root, folder));
  for (const folder of absolute) rmSync(folder, { recursive: true, force: true });
  const lists: string[] = [];
  for (const path of globSync('packages/*/src/**/*.ts', { cwd: root })) {
    if (!roomLists.some((pattern) => new RegExp(pattern).test(path)) || !existsSync(join(root, path)))
      continue;
    const text = withoutEntries(join(root, path), absolute);
    if (text === null) continue;
    writeFileSync(join(root, path), text);
    lists.push(path);
  }
  return { files, lists: lists.sort() };
}

/** Removes rooms from a copy of the tree, which may be changed before, and type-checks the remaining sources. */
export async function without(
  rooms: readonly string[],
  change: (tree: TreeCopy) => Promise<void> = async () => {},
): Promise<Taken> {
  await using tree = await copyTree(
    'packages/*/src/*',
    'packages/*/package.json',
    ':(glob)*.json',
    ':(glob)*.yaml',
  );
  await change(tree);
  const taken = takeOut(tree.folder, rooms);
  const { compilerOptions } = ts.readConfigFile(join(tree.folder, 'tsconfig.json'), ts.sys.readFile).config;
  const exclude = rooms.flatMap(
    (name) => madeOf[name]?.packages.map((folder) => `packages/${folder}/src`) ?? [],
  );
  const config = { extends: './tsconfig.base.json', compilerOptions, include: ['packages/*/src'], exclude };
  await tree.write('tsconfig.without.json', JSON.stringify(config));
  const { printed } = await tree.run(
    // Several parallel checkers need a third more processor time, which tests share.
    'node node_modules/typescript-7/bin/tsc -p tsconfig.without.json --noEmit --singleThreaded',
  );
  return { ...taken, errors: printed.trim() };
}

if (process.argv[1] && relative(process.argv[1], import.meta.filename) === '') {
  const { files, lists, errors } = await without(process.argv.slice(2));
  const folders = new Set(files.map((file) => dirname(file)));
  const lines = (paths: readonly string[]): string => paths.map((path) => `  ${path}`).join('\n');
  process.stdout.write(
    `${files.length} files of ${folders.size} folders:\n${lines(files)}\nlines in ${lists.length} lists:\n${lines(lists)}\n`,
  );
  process.stdout.write(errors === '' ? 'The rest compiles.\n' : `The rest does not compile:\n${errors}\n`);
  process.exitCode = errors === '' ? 0 : 1;
}
