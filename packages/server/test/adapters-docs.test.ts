import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { diagnosticsOf } from '../../../test/compile.ts';

const folder = fileURLToPath(new URL('./', import.meta.url));
const guide = readFileSync(new URL('../../../docs/adapters.md', import.meta.url), 'utf8');

/** The files that the page shows, by the name under which one imports another. */
const files = new Map(
  [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => {
    const [, name = 'start'] = /^export const (gateway|supplier)\b/m.exec(code) ?? [];
    return [`${folder}${name}.ts`, code];
  }),
);

it('docs/adapters.md shows a gateway, a supplier and a start that compile', { timeout: 30_000 }, () => {
  expect([...files.keys()].map((path) => path.slice(folder.length)).toSorted()).toEqual([
    ...['gateway.ts', 'start.ts', 'supplier.ts'],
  ]);
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    resolveJsonModule: true,
    customConditions: ['@topup-kit/source'],
  };
  const complaints = [...diagnosticsOf(files, options)].flatMap(([path, found]) =>
    found.map(
      ({ messageText, file, start = 0 }) =>
        `${path.slice(folder.length)}, ${file?.getLineAndCharacterOfPosition(start).line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    ),
  );
  expect(complaints).toEqual([]);
});
