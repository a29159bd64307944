import { describe, expect, it } from 'vitest';
import kit from '../../package.json' with { type: 'json' };
import { type Account, accountOf, accounts } from './accounts.ts';
import type { Block } from './blocks.ts';

const place = ({ page, line }: Block): string => `${page}:${line}`;

it('every block of every page is run, or its page says in a comment why not', () => {
  expect(accounts.length).toBeGreaterThan(150);
  const unproven = accounts.filter(({ account }) => account.kind === 'unproven');
  expect(unproven.map(({ block, account }) => `${place(block)}: ${account.by}`)).toEqual([]);
});

it('a reason why a block is not run is a sentence', () => {
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

  it('of shell commands or TypeScript is run where it stands', () => {
    expect(kindOf({})).toBe('runs');
    expect(kindOf({ language: '' })).toBe('runs');
    expect(kindOf({ language: 'ts', text: 'const a = 1;\n' })).toBe('example');
  });

  it('of a language that no test runs needs a reason', () => {
    expect(kindOf({ language: 'ruby' })).toBe('unproven');
    expect(kindOf({ language: 'ruby', marks: { 'not run': 'nothing here runs Ruby' } })).toBe('not run');
  });

  it('of JSON must be valid', () => {
    expect(kindOf({ language: 'json', text: '{"a": 1}' })).toBe('data');
    expect(kindOf({ language: 'json', text: '{"a": 1,}' })).toBe('unproven');
  });

  it('is run elsewhere only by a test that has the words', () => {
    const marks = (mark: string) => ({ marks: { 'run by': mark } });
    const here = 'test/docs/blocks.test.ts';
    expect(kindOf(marks(`${here}: "is run elsewhere only by"`))).toBe('elsewhere');
    expect(kindOf(marks(here))).toBe('unproven');
    expect(kindOf(marks(`${here}: "${'no '.repeat(2)}such words"`))).toBe('unproven');
    expect(kindOf(marks('test/docs/absent.test.ts: "is run"'))).toBe('unproven');
  });
});

it('the start of a clone is the command that the run of a page takes for it', () => {
  expect(kit.scripts.start).toMatch(/^node --conditions=\S+ packages\/cli\/src\/bin\.ts serve --sandbox$/);
});
