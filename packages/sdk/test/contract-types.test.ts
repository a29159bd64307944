import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { typesSource } from '../scripts/types.ts';

const path = fileURLToPath(new URL('../src/types.ts', import.meta.url));

it('the types of requests and responses are up to date with the contract', async () => {
  expect(await readFile(path, 'utf8')).toBe(await typesSource());
});

it('every type, value list and field has a description', async () => {
  const file = ts.createSourceFile(path, await readFile(path, 'utf8'), ts.ScriptTarget.ES2024, true);
  const described = (node: ts.Node): boolean => ts.getJSDocCommentsAndTags(node).length > 0;
  const undescribed = file.statements.flatMap((node) => [
    ...(described(node) ? [] : [node.getText()]),
    ...(ts.isInterfaceDeclaration(node) && node.name.text !== 'Responses'
      ? node.members
          .filter((member) => !described(member))
          .map((member) => `${node.name.text}.${member.name?.getText()}`)
      : []),
  ]);

  expect(undescribed).toEqual([]);
});
