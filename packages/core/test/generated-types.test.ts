import { readFile } from 'node:fs/promises';
import ts from 'typescript';
import { expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod/mini';
import { typesSource } from '../scripts/types.ts';
import type { ErrorBody, Responses } from '../src/contract/index.ts';
import type { errorSchemas, responseSchemas } from '../src/contract/schemas.ts';

const file = new URL('../src/contract/generated/types.ts', import.meta.url);

it('keeps the types of requests and responses up to date with the schemas', async () => {
  expect(await readFile(file, 'utf8')).toBe(typesSource('closed'));
});

it('generates a type that is exactly what its schema accepts', () => {
  type Accepted = { [Operation in keyof Responses]: z.output<(typeof responseSchemas)[Operation]> };
  expectTypeOf<Accepted>().toEqualTypeOf<Responses>();
  expectTypeOf<z.output<(typeof errorSchemas)[keyof typeof errorSchemas]>>().toEqualTypeOf<ErrorBody>();
});

it('describes every type, value list and field', async () => {
  const source = ts.createSourceFile('types.ts', await readFile(file, 'utf8'), ts.ScriptTarget.ES2024, true);
  const described = (node: ts.Node): boolean =>
    ts.getJSDocCommentsAndTags(node).some((doc) => doc.getText().length > '/**  */'.length);
  const undescribed = source.statements.flatMap((node) => [
    ...(described(node) ? [] : [node.getText()]),
    ...(ts.isInterfaceDeclaration(node) && node.name.text !== 'Responses'
      ? node.members
          .filter((member) => !described(member))
          .map((member) => `${node.name.text}.${member.name?.getText()}`)
      : []),
  ]);
  expect(undescribed).toEqual([]);
});
