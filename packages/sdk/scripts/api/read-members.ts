import ts from 'typescript';

/** A doc comment on one line. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const docOf = (symbol: ts.Symbol, checker: ts.TypeChecker): string =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker));

/** The two forms of a default in doc comments. */
const defaultPatterns = [/Default: ([^;:,.]+)/, /(`[^`]+`) \(the default\)/];

/** The default in a doc comment, such as `Default: 30 000.` Empty when there is none. */
export function defaultIn(doc: string): string {
  const found = defaultPatterns.map((pattern) => pattern.exec(onOneLine(doc))?.[1]);
  return found.find((text) => text !== undefined) ?? '';
}

/** The text of each `@throws`: the class and the reason. */
export const throwsOf = (symbol: ts.Symbol): string[] =>
  symbol
    .getJsDocTags()
    .filter(({ name }) => name === 'throws')
    .map(({ text }) => onOneLine(ts.displayPartsToString(text)));

/** A type as in the source, on one line. */
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
  /** `(slug: string): TopupCall<GetGameResponse>` of a method, else the type of the property. */
  type: string;
  isMethod: boolean;
  optional: boolean;
  summary: string;
  /** Empty when the doc comment has none. */
  default: string;
  /** The members of a type that has no name to import. */
  members: Member[];
}

export const typeFlags =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;

type Container = ts.InterfaceDeclaration | ts.ClassDeclaration | ts.TypeLiteralNode;

/** The members of a declaration itself, without constructors and symbol keys. */
export const membersOf = (declaration: Container, checker: ts.TypeChecker): Member[] =>
  declaration.members.flatMap(({ name }) => {
    const symbol = name && ts.isIdentifier(name) && checker.getSymbolAtLocation(name);
    return symbol ? [readMember(symbol, declaration, checker)] : [];
  });

/** All members, also inherited ones. */
export const propertiesOf = (declaration: Container, checker: ts.TypeChecker): Member[] =>
  checker
    .getPropertiesOfType(checker.getTypeAtLocation(declaration))
    .map((symbol) => readMember(symbol, declaration, checker));

export const heritageOf = ({
  heritageClauses = ts.factory.createNodeArray(),
}: ts.InterfaceDeclaration): string[] => heritageClauses.flatMap(({ types }) => types.map(typeText));

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
    members: isMethod ? [] : unnamedMembers(symbol, checker),
  };
}

/** The data of an event, and the resources of a client: what readers find only here. */
function unnamedMembers(symbol: ts.Symbol, checker: ts.TypeChecker): Member[] {
  const [declaration] = symbol.declarations ?? [];
  if (!declaration || !ts.isPropertySignature(declaration) || !declaration.type) return [];
  if (ts.isTypeLiteralNode(declaration.type)) return membersOf(declaration.type, checker);
  const [type] = checker.getTypeAtLocation(declaration.type).symbol?.declarations ?? [];
  const isUnnamed = type && ts.isInterfaceDeclaration(type) && /^(?!Order).*EventData$/.test(type.name.text);
  return isUnnamed ? membersOf(type, checker) : [];
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
  if (written && ts.isTypeLiteralNode(written)) return '';
  const text = written
    ? typeText(written)
    : checker.typeToString(checker.getTypeOfSymbol(symbol), declaration, typeFlags);
  if (!optional) return text;
  const present = text.replace(/ \| undefined$/, '');
  return /^\((?!.*\) \| ).*\)$/.test(present) ? present.slice(1, -1) : present;
}
