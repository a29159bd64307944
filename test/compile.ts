import ts from 'typescript';

/** Compiles files that exist only in memory, by their absolute paths; returns the errors of each file. */
export function diagnosticsOf(
  files: ReadonlyMap<string, string>,
  options: ts.CompilerOptions,
): Map<string, ts.Diagnostic[]> {
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const text = files.get(path);
    return text === undefined
      ? getSourceFile(path, ...rest)
      : ts.createSourceFile(path, text, ts.ScriptTarget.ES2024);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return new Map(
    [...files.keys()].map((path) => {
      const file = program.getSourceFile(path);
      return [path, [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]];
    }),
  );
}
