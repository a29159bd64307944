import { describe, expect, it } from 'vitest';
import { lookOf } from '../src/output/style.ts';

const terminal = { write: () => {}, isTTY: true, columns: 100 };
const pipe = { write: () => {} };
const red = '\u001b[31mno\u001b[39m';

describe('colours', () => {
  it.each([
    ['at a terminal', terminal, {}, red],
    ['not in a pipe', pipe, {}, 'no'],
    ['not with NO_COLOR', terminal, { NO_COLOR: '1' }, 'no'],
    ['with an empty NO_COLOR, which says nothing', terminal, { NO_COLOR: '' }, red],
    ['not at a dumb terminal', terminal, { TERM: 'dumb' }, 'no'],
    ['in a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, red],
    ['with FORCE_COLOR beside NO_COLOR', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, red],
    ['not with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, 'no'],
  ])('%s', (_case, output, environment, painted) => {
    expect(lookOf({ environment }, output).paint('bad', 'no')).toBe(painted);
  });
});

describe('the width', () => {
  it.each([
    ['is that of the terminal', terminal, 100],
    ['is 80 where a terminal does not tell', { ...terminal, columns: undefined }, 80],
    ['is none in a pipe, where nothing is cut', pipe, undefined],
  ])('%s', (_case, output, columns) => {
    expect(lookOf({ environment: {} }, output).columns).toBe(columns);
  });
});
