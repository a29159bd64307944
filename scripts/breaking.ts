import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import manifest from '../packages/sdk/package.json' with { type: 'json' };
import { entriesOf, exportingPackages, packages } from './exports.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Matches a union, whose options the compiler prints in the order in which it found them. */
const union = /(?:"[^"]*"|\w+)(?: \| (?:"[^"]*"|\w+))+/g;

/** Exports of entry points as lines: `@topup-kit/sdk: TopupClient.games: GamesResource`. */
export type Types = ReadonlySet<string>;

const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/**
 * Reads the types of all entry points in a folder of packages. If an exported type uses a type that has no name, or whose name is not
 * exported, that type is written out where it is used, so that a change inside it is detected.
 */
export function readTypes(tree: string, folders: readonly string[] = exportingPackages): Types {
  const entries = folders.flatMap((folder) => entriesOf(folder, tree));
  const program = createProgram(
    tree,
    entries.map(({ source }) => source),
  );
  const checker = program.getTypeChecker();
  const lines = new Set<string>();
  for (const { name, source } of entries) {
    const file = program.getSourceFile(source);
    const module = file && checker.getSymbolAtLocation(file);
    if (!module) throw new Error(`${source} is no module.`);
    const exported = checker.getExportsOfModule(module);
    const targets = exported.map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    );
    const write = typeWriter(checker, new Set(targets), tree);
    for (const [index, target] of targets.entries())
      for (const line of write(target)) lines.add(`${name}: ${exported[index]?.name}${line}`);
  }
  return lines;
}

/** Creates lines that describe a symbol: one for each member of an object, and one for anything else. */
function typeWriter(checker: ts.TypeChecker, exported: ReadonlySet<ts.Symbol>, tree: string) {
  const isOpen = (type: ts.Type): boolean => {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const declared = symbol?.declarations?.[0];
    if (!declared || !(type.flags & ts.TypeFlags.Object) || (symbol && exported.has(symbol))) return false;
    return declared.getSourceFile().fileName.startsWith(tree) && type.getProperties().length > 0;
  };

  const print = (type: ts.Type, at: ts.Node, more = ts.TypeFormatFlags.None): string =>
    checker
      .typeToString(type, at, flags | more)
      .replace(union, (options) => options.split(' | ').sort().join(' | '));

  function text(type: ts.Type, at: ts.Node, within: readonly ts.Type[] = []): string {
    if (type.isUnion() && !type.aliasSymbol)
      return type.types
        .map((part) => text(part, at, within))
        .sort()
        .join(' | ');
    // Safe: an array is a reference to its generic type.
    const [element] = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [];
    if (element && isOpen(element)) return `${text(element, at, within)}[]`;
    if (!isOpen(type) || type.getCallSignatures().length > 0 || within.includes(type)) return print(type, at);
    return `{ ${members(type, at, [...within, type]).join('; ')} }`;
  }

  const isPrivate = (property: ts.Symbol): boolean =>
    property.name.startsWith('#') ||
    (property.declarations ?? []).some(
      (node) => (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.NonPublicAccessibilityModifier) !== 0,
    );

  const members = (type: ts.Type, at: ts.Node, within: readonly ts.Type[] = []): string[] =>
    type
      .getProperties()
      .filter((property) => !isPrivate(property))
      .map((property) => {
        const optional = property.flags & ts.SymbolFlags.Optional ? '?' : '';
        // The compiler numbers the names of symbols: `__@asyncDispose@1575`.
        const name = property.name.replace(/^__@(\w+)@\d+$/, '[$1]');
        return `${name}${optional}: ${text(checker.getTypeOfSymbolAtLocation(property, at), at, within)}`;
      })
      .sort();

  return (symbol: ts.Symbol): string[] => {
    const [at] = symbol.declarations ?? [];
    if (!at) return [''];
    const isType = (symbol.flags & ts.SymbolFlags.Type) !== 0;
    const type = isType ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol);
    const isObject = (type.flags & ts.TypeFlags.Object) !== 0 && type.getCallSignatures().length === 0;
    if (isObject && type.getProperties().length > 0 && !checker.isArrayLikeType(type))
      return ['', ...members(type, at, [type]).map((member) => `.${member}`)];
    // The next version may change the value of a constant.
    const shown = isType ? type : checker.getBaseTypeOfLiteralType(type);
    return [`${isType ? ' =' : ':'} ${print(shown, at, ts.TypeFormatFlags.InTypeAlias)}`];
  };
}

/** Creates a program over a tree's sources. Packages of the tree are resolved in it, all others in this tree. */
function createProgram(tree: string, sources: string[]): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: undefined, files: ['package.json'] },
    ts.sys,
    root,
  );
  const own = new Map(
    readdirSync(tree)
      .filter((folder) => existsSync(join(tree, folder, 'package.json')))
      .flatMap((folder) => entriesOf(folder, tree).map(({ name, source }) => [name, source] as const)),
  );
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, importer) =>
    literals.map((literal) => {
      const found = own.get(literal.text);
      if (found) return { resolvedModule: { resolvedFileName: found, extension: ts.Extension.Ts } };
      return ts.resolveModuleName(
        literal.text,
        importer,
        options,
        ts.sys,
        undefined,
        undefined,
        ts.ModuleKind.ESNext,
      );
    });
  return ts.createProgram(sources, { ...options, noEmit: true }, host);
}

export interface Comparison {
  /** Exports that callers may use, and that are missing or have another type. */
  broken: string[];
  /** Properties that an object must have now. They break only code that creates such objects itself, such as an adapter. */
  required: string[];
}

/** Compares the types of two versions, and returns the changes that break code. */
export function compareTypes(before: Types, now: Types): Comparison {
  const owner = (line: string) => line.replace(/\..*/s, '');
  const isRequired = (line: string) => /^[^:]+: \w+\.\w+: /.test(line);
  const known = new Set(
    [...before].map((line) => line.replace(/\?(?=: )/, '').replace(/(\.\w+): .*/s, '$1')),
  );
  return {
    broken: [...before].filter((line) => !now.has(line)).sort(),
    required: [...now]
      .filter((line) => isRequired(line) && before.has(owner(line)))
      .filter((line) => !known.has(line.replace(/(\.\w+): .*/s, '$1')))
      .sort(),
  };
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Puts the packages of a tag into a folder of this tree's cache, with this tree's libraries. Returns the folder. */
function checkOut(tag: string): string {
  const folder = join(root, 'node_modules/.cache/breaking');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tar = execFileSync('git', ['archive', tag, 'packages'], { cwd: root, maxBuffer: 1 << 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: tar });
  for (const name of readdirSync(join(folder, 'packages'))) {
    const libraries = join(packages, name, 'node_modules');
    if (existsSync(libraries)) symlinkSync(libraries, join(folder, 'packages', name, 'node_modules'));
  }
  return join(folder, 'packages/');
}

function main(tag = git('tag', '--list', '@topup-kit/*', '--sort=-creatordate').split('\n')[0]): number {
  if (!tag) {
    process.stdout.write('No version is tagged yet, so there is nothing to compare the types with.\n');
    return 0;
  }
  const { broken, required } = compareTypes(readTypes(checkOut(tag)), readTypes(packages));
  for (const line of broken) process.stdout.write(`gone or changed since ${tag}: ${line}\n`);
  for (const line of required) process.stdout.write(`required since ${tag}: ${line}\n`);
  if (broken.length === 0) {
    process.stdout.write(`No type of an entry point is broken since ${tag}.\n`);
    return 0;
  }
  if (isDeclared()) return 0;
  process.stdout.write(
    'A changeset must say so: `npx -y pnpm@12 exec changeset`, with the bump that breaks.\n',
  );
  return 1;
}

/** Tells whether a changeset has a bump that may break callers: major, or minor before 1.0.0. */
function isDeclared(): boolean {
  const folder = join(root, '.changeset');
  const bump = manifest.version.startsWith('0.') ? /: (?:major|minor)$/m : /: major$/m;
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .some((file) => bump.test(readFileSync(join(folder, file), 'utf8')));
}

if (import.meta.main) process.exitCode = main(process.argv[2]);
