import { describe, expect, it } from 'vitest';
import {
  bytes,
  DamagedRowError,
  integer,
  integerOrNull,
  json,
  oneOf,
  type Row,
  text,
  textOrNull,
} from '../src/rows/columns.ts';

const row: Row = {
  text: 'a text',
  integer: 7,
  bytes: new Uint8Array([1, 2]),
  null: null,
  json: '{"is":"one"}',
  cut: '{"is":',
};

const modes = (column: string) => oneOf(['a text', 'another'], row, column);

describe('a column of a row', () => {
  it('reads a column by its type', () => {
    expect([text(row, 'text'), textOrNull(row, 'text'), modes('text')]).toEqual(Array(3).fill('a text'));
    expect([integer(row, 'integer'), integerOrNull(row, 'integer')]).toEqual([7, 7]);
    expect([textOrNull(row, 'null'), integerOrNull(row, 'null')]).toEqual([null, null]);
    expect(bytes(row, 'bytes')).toEqual(new Uint8Array([1, 2]));
    expect(json(row, 'json')).toEqual({ is: 'one' });
  });

  it.each([
    ['a number instead of a text', () => text(row, 'integer'), 'column integer holds an unexpected number'],
    ['null instead of a text', () => text(row, 'null'), 'column null holds an unexpected null'],
    ['a missing text', () => text(row, 'none'), 'column none holds an unexpected undefined'],
    ['a missing text or null', () => textOrNull(row, 'none'), 'column none holds an unexpected undefined'],
    ['a text instead of a number', () => integer(row, 'text'), 'column text holds an unexpected string'],
    [
      'a text instead of a number or null',
      () => integerOrNull(row, 'text'),
      'column text holds an unexpected string',
    ],
    ['a text instead of bytes', () => bytes(row, 'text'), 'column text holds an unexpected string'],
    [
      'a text that is not one of the allowed texts',
      () => modes('json'),
      'column json holds an unknown value',
    ],
    ['a document that was cut off', () => json(row, 'cut'), 'column cut holds no JSON'],
  ])('reports a column as damaged with %s, without showing its value', (_what, read, message) => {
    const error = new DamagedRowError(message);
    expect(error.name).toBe('DamagedRowError');
    expect(read).toThrow(error);
    expect(read).toThrow(DamagedRowError);
  });
});
