import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { instructionsOf } from '../../scripts/dockerfile.ts';

it('reads the instructions of a Dockerfile, without comments and over several lines', () => {
  const text = '# A comment\nFROM node:24-slim AS build\n\nRUN a && \\\n    b\nCMD ["serve"]\n';

  expect(instructionsOf(text)).toEqual([
    { name: 'FROM', text: 'node:24-slim AS build' },
    { name: 'RUN', text: 'a && b' },
    { name: 'CMD', text: '["serve"]' },
  ]);
});

it('reads the whole Dockerfile of this repository', () => {
  const text = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
  const names = instructionsOf(text).map(({ name }) => name);

  expect(names).toHaveLength(text.match(/^[A-Z]+ /gm)?.length ?? 0);
  expect(names.filter((name) => name === 'FROM')).toHaveLength(2);
});
