import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { withoutComments } from '../../../scripts/packed-texts.ts';
import {
  checkCoverage,
  conformanceCases,
  notProvable,
  parseStatements,
  sentenceFile,
  sentenceOf,
} from '../src/index.ts';

const document = async (name: string) =>
  withoutComments(await readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8'));

async function report(cases = conformanceCases) {
  const statements = parseStatements(await document('interface.md'));
  const openPoints = parseStatements(await document('open-points.md'));
  return checkCoverage({ interface: statements, openPoints, cases, notProvable });
}

describe('conformance against the documents', () => {
  it('tests or excuses every statement of sections 2, 4, 5 and 7', async () => {
    expect((await report()).uncovered).toEqual([]);
  });

  it('cites only statements that are in the documents', async () => {
    expect((await report()).stale).toEqual([]);
  });

  it('knows the text of every sentence that may be cited (vitest -u writes it)', async () => {
    const text = sentenceFile({
      interface: parseStatements(await document('interface.md')),
      openPoints: parseStatements(await document('open-points.md')),
    });
    await expect(text).toMatchFileSnapshot('../src/generated/sentences.json');
    expect(sentenceOf('interface 4.1/success')).toBe('success | boolean | true');
  });

  it('excuses no statement that a case tests', async () => {
    expect((await report()).excusedAndCited).toEqual([]);
  });

  it('names the statements that no case tests when a case is missing', async () => {
    const name = 'games: the list of games has no message and no data';
    const rest = conformanceCases.filter((one) => one.name !== name);
    expect((await report(rest)).uncovered).toEqual([
      'interface 4.1/This-response-has-no-message-and:   This response has no `message` and no `data` field.',
    ]);
  });

  it('gives every case a unique name', () => {
    const names = conformanceCases.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});
