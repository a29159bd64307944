import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const { NodeNext, Node16, ESNext } = ts.ModuleKind;

export const asNode: ts.CompilerOptions = {
  module: NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};
/** As for Node versions that can't `require` an ES module: TypeScript is stricter about types of one. */
export const asNode16: ts.CompilerOptions = {
  module: Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
};
export const asBundler: ts.CompilerOptions = {
  module: ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

export const withDom: ts.CompilerOptions = { lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'], types: [] };
export const withNode: ts.CompilerOptions = {
  lib: ['lib.es2024.d.ts'],
  types: ['node'],
  typeRoots: [fileURLToPath(new URL('../../../../../node_modules/@types', import.meta.url))],
};

/** The errors of the compiler with the strictest options, for a file and the types below `folder` that it uses. */
export function complaints(path: string, folder: string, options: ts.CompilerOptions): string[] {
  const program = ts.createProgram([path], {
    ...options,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    exactOptionalPropertyTypes: true,
    declaration: true,
    skipLibCheck: false,
    noEmit: true,
  });
  // The platform's types are not checked, which would take long.
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  const found = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
    ...(file.isDeclarationFile ? [] : program.getDeclarationDiagnostics(file)),
  ]);
  return [...program.getOptionsDiagnostics(), ...found].map(
    ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}
