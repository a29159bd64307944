import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { diagnosticsOf } from '../../../../test/compile.ts';
import { compilerOptions, entries, isOptions, isOurs } from '../../scripts/api/program.ts';

/** One fenced block of an `@example`. */
export interface Example {
  /** The documented name, such as `RequestOptions.timeout`. */
  of: string;
  code: string;
}

export interface Docs {
  /** Every example in the doc comments of the sources. */
  examples: Example[];
  /** Every option of the public functions, such as `RequestOptions.timeout`. */
  options: string[];
}

export function readDocs(): Docs {
  const program = ts.createProgram(
    entries.map(({ source }) => source),
    compilerOptions(),
  );
  // Creating the checker sets the parents of all nodes, which getText() needs.
  program.getTypeChecker();
  const files = program.getSourceFiles().filter(isOurs);
  return { examples: files.flatMap((file) => examplesIn(file, [])), options: files.flatMap(optionsIn) };
}

const optionsIn = ({ statements }: ts.SourceFile): string[] =>
  statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => isOptions(name.text))
    .flatMap(({ name, members }) => members.map((member) => `${name.text}.${member.name?.getText()}`));

function examplesIn(node: ts.Node, path: string[]): Example[] {
  const name =
    ts.isStatement(node) || ts.isTypeElement(node) || ts.isClassElement(node) ? nameOf(node) : undefined;
  const here = name === undefined ? path : [...path, name];
  const own = ts
    .getJSDocTags(node)
    .filter(({ tagName, parent }) => tagName.text === 'example' && parent.parent === node)
    .flatMap(({ comment }) => blocksIn(ts.getTextOfJSDocComment(comment) ?? ''))
    .map((code) => ({ of: here.join('.'), code }));
  const inside: Example[] = [];
  ts.forEachChild(node, (child) => {
    inside.push(...examplesIn(child, here));
  });
  return [...own, ...inside];
}

function nameOf(node: ts.Statement | ts.TypeElement | ts.ClassElement): string | undefined {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations[0]?.name.getText();
  // Safe: the name is optional, and nodes with a name have it here.
  return (node as { name?: ts.Node }).name?.getText();
}

const blocksIn = (text: string): string[] =>
  [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);

const importing = /^import \{([^}]*)\} from '([^']+)';$/gm;

/** The example as a function body, with imports as calls. It is in its own block, so that it may redeclare names of the prelude. */
export function asBody({ code }: Example, load: string): string {
  const withCalls = code.replace(
    importing,
    (_import, names: string, from: string) =>
      `const {${names.replaceAll(' as ', ': ')}} = await ${load}('${from}');`,
  );
  return `{{\n${withCalls}}}`;
}

const folder = fileURLToPath(new URL('./', import.meta.url));

/** The compiler errors of the examples, which can use the names of the type `Prelude`. */
export function complaintsOf(examples: Example[], names: string[]): string[] {
  const files = new Map(
    examples.map((example, index) => [
      `${folder}example-${index}.ts`,
      `import type { Prelude } from './prelude.ts';
export async function example({ ${names.join(', ')} }: Prelude): Promise<void> ${asBody(example, 'import')}`,
    ]),
  );
  return [...diagnosticsOf(files, compilerOptions()).values()].flatMap((found, index) =>
    found.map(
      ({ messageText }) => `${examples[index]?.of}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    ),
  );
}

/** The example as JavaScript: an expression for an async function of the prelude and `load`. */
export const compiled = (example: Example, names: string[]): string =>
  ts.transpileModule(`(async ({ ${[...names, 'load'].join(', ')} }) => ${asBody(example, 'load')})`, {
    compilerOptions: { target: ts.ScriptTarget.ES2024 },
  }).outputText;
