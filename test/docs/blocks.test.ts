import { describe, expect, it } from 'vitest';
import kit from '../../package.json' with { type: 'json' };
import { type Account, accountOf, accounts } from './accounts.ts';
import type { Block } from './blocks.ts';

const place = ({ page, line }: Block): string => `${page}:${line}`;

it('runs every block of every page, unless a comment on the page gives a reason', () => {
  expect(accounts.length).toBeGreaterThan(150);
  const unaccounted = accounts.filter(({ account }) => account.kind === 'unaccounted');
  expect(unaccounted.map(({ block, account }) => `${place(block)}: ${account.by}`)).toEqual([]);
});

it('gives the reason for not running a block as a sentence', () => {
  const reasons = accounts.filter(({ account }) => account.kind === 'not run');
  const short = reasons.filter(({ account }) => account.by.split(/\s+/).length < 4);
  expect(short.map(({ block }) => place(block))).toEqual([]);
});

describe('a block', () => {
  const block: Block = {
    page: 'docs/a.md',
    line: 3,
    language: 'sh',
    text: 'topup\n',
    file: undefined,
    marks: {},
  };
  const kindOf = (changes: Partial<Block>): Account['kind'] => accountOf({ ...block, ...changes }).kind;

  it('runs a block of shell commands or TypeScript in its place', () => {
    expect(kindOf({})).toBe('runs');
    expect(kindOf({ language: '' })).toBe('runs');
    expect(kindOf({ language: 'ts', text: 'const a = 1;\n' })).toBe('example');
  });

  it('requires a reason for a block in a language that no test runs', () => {
    expect(kindOf({ language: 'ruby' })).toBe('unaccounted');
    expect(kindOf({ language: 'ruby', marks: { 'not run': 'nothing here runs Ruby' } })).toBe('not run');
  });

  it('requires valid JSON in a block', () => {
    expect(kindOf({ language: 'json', text: '{"a": 1}' })).toBe('data');
    expect(kindOf({ language: 'json', text: '{"a": 1,}' })).toBe('unaccounted');
  });

  it("accepts a test elsewhere only if the test contains the block's words", () => {
    const marks = (mark: string) => ({ marks: { 'run by': mark } });
    const here = 'test/docs/blocks.test.ts';
    expect(kindOf(marks(`${here}: "is run elsewhere only by"`))).toBe('elsewhere');
    expect(kindOf(marks(here))).toBe('unaccounted');
    expect(kindOf(marks(`${here}: "${'no '.repeat(2)}such words"`))).toBe('unaccounted');
    expect(kindOf(marks('test/docs/absent.test.ts: "is run"'))).toBe('unaccounted');
  });
});

it('uses the start command of a clone in the run of a page', () => {
  expect(kit.scripts.start).toMatch(/^node --conditions=\S+ packages\/cli\/src\/bin\.ts serve --sandbox$/);
});
