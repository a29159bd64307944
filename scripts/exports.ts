import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Folder of this tree's packages. */
export const packages = fileURLToPath(new URL('../packages/', import.meta.url));

/** Packages that other code imports, so not the command line. */
export const exportingPackages = ['sdk', 'mock', 'server'] as const;

type ExportingPackage = (typeof exportingPackages)[number];

interface Manifest {
  name: string;
  exports?: Record<string, string | Record<string, unknown>>;
  /** Replaces `exports` in the packed package, without the entries for the workspace. */
  publishConfig?: { exports: Record<string, unknown> };
}

const manifestOf = (folder: string, tree: string): Manifest =>
  // Safe: npm requires these fields in every package.json.
  JSON.parse(readFileSync(join(tree, folder, 'package.json'), 'utf8')) as Manifest;

/** Returns the entry points by name, with their source files, in a folder of packages. */
export function entriesOf(folder: string, tree = packages): { name: string; source: string }[] {
  const { name, exports = {}, publishConfig } = manifestOf(folder, tree);
  const paths = Object.keys(publishConfig?.exports ?? exports).filter((path) => path !== './package.json');
  return paths.map((path) => {
    const target = exports[path] ?? {};
    const source = typeof target === 'string' ? target : target['@topup-kit/source'];
    return { name: name + path.slice(1), source: join(tree, folder, String(source)) };
  });
}

const privateEntries = new Map(
  ['core', 'conformance', 'suites']
    .flatMap((folder) => entriesOf(folder))
    .map(({ name, source }) => [name, source]),
);

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  allowImportingTsExtensions: true,
  noEmit: true,
  noLib: true,
  types: [],
};

/** Creates a program that reads only this repository's sources, because the names of exports need neither libraries nor platform types. */
function createProgram(sources: string[]): ts.Program {
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, importer) =>
    literals.map(({ text }) => {
      const found = text.startsWith('.') ? join(importer, '..', text) : privateEntries.get(text);
      return {
        resolvedModule: found?.endsWith('.ts')
          ? { resolvedFileName: found, extension: ts.Extension.Ts, isExternalLibraryImport: false }
          : undefined,
      };
    });
  return ts.createProgram(sources, options, host);
}

/** Creates the text of `exports.txt`: for each entry point its values, and then its types, by the names to import. */
export function exportList(folder: ExportingPackage): string {
  const entries = entriesOf(folder);
  const program = createProgram(entries.map(({ source }) => source));
  const checker = program.getTypeChecker();
  return entries
    .map(({ name, source }) => {
      const file = program.getSourceFile(source);
      const module = file && checker.getSymbolAtLocation(file);
      if (!module) throw new Error(`${source} is no module.`);
      const exported = checker.getExportsOfModule(module).map((symbol) => {
        const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
        const { flags } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
        const isValue = (flags & ts.SymbolFlags.Value) !== 0 && !isTypeOnly(symbol);
        return `${isValue ? '' : 'type '}${symbol.name}`;
      });
      return `${[name, ...exported.toSorted(valuesFirst).map((line) => `  ${line}`)].join('\n')}\n`;
    })
    .join('\n');
}

/** Tells whether a value is exported only as a type: `export type { TheClass }`. */
const isTypeOnly = ({ declarations = [] }: ts.Symbol): boolean =>
  declarations.some(
    (node) => ts.isExportSpecifier(node) && (node.isTypeOnly || node.parent.parent.isTypeOnly),
  );

const isType = (line: string): number => Number(line.startsWith('type '));

const valuesFirst = (a: string, b: string): number => isType(a) - isType(b) || (a < b ? -1 : 1);

/** Command that rewrites the lists. */
export const rewrite = 'npx -y pnpm@12 exports';

/** Returns the path of a package's list. */
export const listPath = (folder: ExportingPackage): string => join(packages, folder, 'exports.txt');

if (import.meta.main)
  for (const folder of exportingPackages) await writeFile(listPath(folder), exportList(folder));
