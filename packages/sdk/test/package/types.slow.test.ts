import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, inject, it } from 'vitest';
import { consumer } from './helpers/consumer.ts';

const code = `
  import * as sdk from '@topup-kit/sdk';
  import type { OrderRequest, TopupClient } from '@topup-kit/sdk';
  import * as light from '@topup-kit/sdk/light';
  import * as proxy from '@topup-kit/sdk/proxy';

  const client: TopupClient = sdk.createTopupClient({ baseUrl: 'http://shop.test/api' });

  export async function order(request: OrderRequest): Promise<number> {
    try {
      const { data } = await client.orders.create(request);
      // @ts-expect-error no such field: the types did arrive
      data.pricing.totalPrice;
      return data.pricing.total_price;
    } catch (error) {
      if (sdk.isTopupError(error, 'VALIDATION_ERROR')) error.fields satisfies Record<string, string[]> | undefined;
      throw error;
    }
  }
  // @ts-expect-error no such option
  light.createTopupClient({ baseURL: 'http://shop.test/api' });

  // Whoever passes it on has declaration files, in which every type must have a name to import.
  export const passedOn = { sdk: { ...sdk }, light: { ...light }, proxy: { ...proxy } };`;

const { NodeNext, ESNext } = ts.ModuleKind;
const asNode: ts.CompilerOptions = { module: NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
const asBundler: ts.CompilerOptions = {
  module: ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

const withDom: ts.CompilerOptions = { lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'], types: [] };
const withNode: ts.CompilerOptions = {
  lib: ['lib.es2024.d.ts'],
  types: ['node'],
  typeRoots: [fileURLToPath(new URL('../../../../node_modules/@types', import.meta.url))],
};

/** What the strictest compiler says of a file, and of the packed types that it uses. */
function complaints(path: string, options: ts.CompilerOptions): string[] {
  const program = ts.createProgram([path], {
    ...options,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    exactOptionalPropertyTypes: true,
    declaration: true,
    skipLibCheck: false,
    noEmit: true,
  });
  // The types of the platform are its own business, and take long to check.
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(inject('project')));
  const found = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
    ...(file.isDeclarationFile ? [] : program.getDeclarationDiagnostics(file)),
  ]);
  return [...program.getOptionsDiagnostics(), ...found].map(
    ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}

it.each([
  ['as an ES module in Node', 'order.mts', { ...asNode, ...withDom }],
  ['as CommonJS in Node', 'order.cts', { ...asNode, ...withDom }],
  ['by a bundler', 'order.ts', { ...asBundler, ...withDom }],
  ['with the types of Node alone', 'order.mts', { ...asNode, ...withNode }],
])('TypeScript compiles what uses the packed package %s', async (_how, name, options) => {
  const folder = await consumer({ [name]: code });

  expect(complaints(join(folder, name), options)).toEqual([]);
});
