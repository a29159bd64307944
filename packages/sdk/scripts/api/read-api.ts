import ts from 'typescript';
import { compilerOptions, entries, isOptions } from './program.ts';
import {
  docOf,
  heritageOf,
  type Member,
  membersOf,
  onOneLine,
  propertiesOf,
  throwsOf,
  typeFlags,
  typeText,
} from './read-members.ts';

export interface Export {
  name: string;
  kind: 'function' | 'error' | 'object' | 'options' | 'type' | 'value';
  summary: string;
  /** Type parameters, such as `<Data>`. */
  parameters: string;
  /** For a function its signatures, for an object none, else one type. */
  types: string[];
  /** The types that it extends. */
  extends: string[];
  members: Member[];
  throws: string[];
  /** For an error: its possible codes, and whether servers may add others. */
  codes: string[];
  openCodes: boolean;
}

export interface Entry {
  name: string;
  exports: Export[];
  /** Names of exports that are the same as in the first entry. */
  sharedNames: string[];
}

/** Reads the exports of the package's entries from the sources. */
export function readApi(): Entry[] {
  const program = ts.createProgram(
    entries.map(({ source }) => source),
    compilerOptions(),
  );
  const checker = program.getTypeChecker();
  const inFirst = new Set<ts.Symbol>();
  return entries.map(({ name, source }, index) => {
    const all = exportsOf(source, program, checker);
    const own = all.filter(({ target }) => !inFirst.has(target));
    const sharedNames = all.filter(({ target }) => inFirst.has(target)).map((shared) => shared.name);
    if (index === 0) for (const { target } of own) inFirst.add(target);
    return { name, sharedNames, exports: own.map((symbol) => describe(symbol, checker)) };
  });
}

interface ExportedSymbol {
  name: string;
  target: ts.Symbol;
}

function exportsOf(source: string, program: ts.Program, checker: ts.TypeChecker): ExportedSymbol[] {
  const file = program.getSourceFile(source);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${source} is not a module.`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => ({
      name: symbol.name,
      target: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describe({ name, target }: ExportedSymbol, checker: ts.TypeChecker): Export {
  const [declaration] = target.declarations ?? [];
  if (!declaration) throw new Error(`${name} has no declaration.`);
  const base: Export = {
    name,
    kind: 'value',
    summary: onOneLine(docOf(target, checker)),
    parameters: '',
    types: [],
    extends: [],
    members: [],
    throws: throwsOf(target),
    codes: [],
    openCodes: false,
  };
  if (ts.isClassDeclaration(declaration))
    return {
      ...base,
      kind: 'error',
      members: membersOf(declaration, checker),
      ...codesOf(target, declaration, checker),
    };
  if (ts.isInterfaceDeclaration(declaration)) return describeInterface(base, declaration, checker);
  if (ts.isTypeAliasDeclaration(declaration)) return describeAlias(base, declaration, checker);
  const type = checker.getTypeOfSymbol(target);
  const signatures = type
    .getCallSignatures()
    .map((call) =>
      checker.signatureToString(call, declaration, typeFlags).replace(/\(\{[^}]*\}: /, '(options: '),
    );
  if (signatures.length > 0) return { ...base, kind: 'function', types: signatures };
  return {
    ...base,
    types: [checker.typeToString(checker.getBaseTypeOfLiteralType(type), declaration, typeFlags)],
  };
}

function describeInterface(
  base: Export,
  declaration: ts.InterfaceDeclaration,
  checker: ts.TypeChecker,
): Export {
  const parameters = parametersOf(declaration);
  // Options are listed with the inherited ones, so that readers find all in one place.
  return isOptions(base.name)
    ? { ...base, kind: 'options', parameters, members: propertiesOf(declaration, checker) }
    : {
        ...base,
        kind: 'object',
        parameters,
        extends: heritageOf(declaration),
        members: membersOf(declaration, checker),
      };
}

function describeAlias(base: Export, declaration: ts.TypeAliasDeclaration, checker: ts.TypeChecker): Export {
  const type = checker.getTypeAtLocation(declaration.name);
  const text = ts.isTypeOperatorNode(declaration.type)
    ? checker.typeToString(type, declaration, typeFlags | ts.TypeFormatFlags.InTypeAlias)
    : typeText(declaration.type);
  return { ...base, kind: 'type', parameters: parametersOf(declaration), types: [text] };
}

const parametersOf = ({ typeParameters }: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): string =>
  typeParameters ? `<${typeParameters.map(typeText).join(', ')}>` : '';

function codesOf(
  symbol: ts.Symbol,
  declaration: ts.Node,
  checker: ts.TypeChecker,
): Pick<Export, 'codes' | 'openCodes'> {
  const property = checker.getDeclaredTypeOfSymbol(symbol).getProperty('code');
  if (!property) return { codes: [], openCodes: false };
  const type = checker.getTypeOfSymbolAtLocation(property, declaration);
  const parts = type.isUnion() ? type.types : [type];
  const codes = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
  return { codes, openCodes: codes.length < parts.length };
}
