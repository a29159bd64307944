import ts from 'typescript';

/** A doc comment on one line. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const docOf = (symbol: ts.Symbol, checker: ts.TypeChecker): string =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker));

/** The three ways in which doc comments here tell a default. */
const tellings = [
  /(?:^|[;:,.] )([^;:,.]+) when left out/,
  /When left out: ([^;:,.]+)/,
  /(`[^`]+`), the default/,
];

/** The default that a doc comment tells: `30 000 when left out`. Empty when it tells none. */
export function defaultIn(doc: string): string {
  const found = tellings.map((telling) => telling.exec(onOneLine(doc))?.[1]);
  return found.find((told) => told !== undefined) ?? '';
}

/** What stands behind each `@throws`: the class, and what for. */
export const throwsOf = (symbol: ts.Symbol): string[] =>
  symbol
    .getJsDocTags()
    .filter(({ name }) => name === 'throws')
    .map(({ text }) => onOneLine(ts.displayPartsToString(text)));

/** A type as it is written, on one line. */
export const typeText = (node: ts.Node): string =>
  node
    .getText()
    .replace(/\/\*\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/^\| /, '')
    .replace(/([(<]) \|? ?/g, '$1')
    .trim();

export interface Member {
  name: string;
  /** `(slug: string): TopupCall<GameAnswer>` of a method, else the type of the property. */
  type: string;
  isMethod: boolean;
  optional: boolean;
  summary: string;
  /** Empty when the doc comment tells none. */
  default: string;
}

export const typeFlags =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;

type Container = ts.InterfaceDeclaration | ts.ClassDeclaration;

/** The members that a declaration has of its own, without constructors and what is keyed by a symbol. */
export const membersOf = (declaration: Container, checker: ts.TypeChecker): Member[] =>
  declaration.members.flatMap(({ name }) => {
    const symbol = name && ts.isIdentifier(name) && checker.getSymbolAtLocation(name);
    return symbol ? [readMember(symbol, declaration, checker)] : [];
  });

/** All that it has, inherited or not. */
export const propertiesOf = (declaration: Container, checker: ts.TypeChecker): Member[] =>
  checker
    .getPropertiesOfType(checker.getTypeAtLocation(declaration.name ?? declaration))
    .map((symbol) => readMember(symbol, declaration, checker));

export const heritageOf = ({ heritageClauses = ts.factory.createNodeArray() }: Container): string[] =>
  heritageClauses.flatMap(({ types }) => types.map(typeText));

function readMember(symbol: ts.Symbol, declaration: Container, checker: ts.TypeChecker): Member {
  const doc = docOf(symbol, checker);
  const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
  const isMethod = (symbol.flags & ts.SymbolFlags.Method) !== 0;
  return {
    name: symbol.name,
    type: isMethod
      ? signaturesOf(symbol, declaration, checker)
      : propertyType(symbol, optional, declaration, checker),
    isMethod,
    optional,
    summary: onOneLine(doc),
    default: defaultIn(doc),
  };
}

const signaturesOf = (symbol: ts.Symbol, declaration: Container, checker: ts.TypeChecker): string =>
  checker
    .getTypeOfSymbol(symbol)
    .getCallSignatures()
    .map((call) => checker.signatureToString(call, declaration, typeFlags))
    .join('; ');

function propertyType(
  symbol: ts.Symbol,
  optional: boolean,
  declaration: Container,
  checker: ts.TypeChecker,
): string {
  const written = symbol.declarations?.find(
    (node) => ts.isPropertySignature(node) || ts.isPropertyDeclaration(node),
  )?.type;
  const text = written
    ? typeText(written)
    : checker.typeToString(checker.getTypeOfSymbol(symbol), declaration, typeFlags);
  if (!optional) return text;
  const present = text.replace(/ \| undefined$/, '');
  return /^\((?!.*\) \| ).*\)$/.test(present) ? present.slice(1, -1) : present;
}
