import { describe, expect, it } from 'vitest';
import {
  codeOf,
  explainPostgresError,
  isInterference,
  isLost,
  PostgresError,
} from '../src/postgres/postgres-error.ts';
import { DamagedRowError } from '../src/rows/columns.ts';

const failed = (code: unknown, more: object = {}): Error =>
  Object.assign(new Error('why'), { code, ...more });

describe('an error of PostgreSQL', () => {
  it.each([
    [
      '53300',
      'unreachable',
      2,
      'db has no free connection: raise its max_connections (each server needs 10).',
    ],
    ['EMFILE', 'unreachable', 2, /^db can't be reached: /],
    ['ECONNREFUSED', 'unreachable', 2, "db can't be reached (ECONNREFUSED)."],
    ['57P01', 'unreachable', 2, "db can't be reached (57P01)."],
    ['08006', 'unreachable', 2, "db can't be reached (08006)."],
    ['40001', 'busy', 1, 'db has too many simultaneous commands; try again.'],
    ['40P01', 'busy', 1, 'db has too many simultaneous commands; try again.'],
    ['55P03', 'busy', 1, 'db did not respond in time; try again.'],
    ['57014', 'busy', 1, 'db did not respond in time; try again.'],
    ['53100', 'full', 30, 'No space left on the disk of db.'],
    ['25006', 'read_only', 5, 'db accepts no writes, because it is a replica or read-only.'],
    ['28P01', 'refused', null, 'db refused access: why.'],
    ['42501', 'refused', null, 'db refused access: why.'],
    [
      '42P07',
      'not_a_store',
      null,
      /^db has another program's tables: why\. Use a separate database or schema/,
    ],
    ['3F000', 'refused', null, /^db has no schema for the tables/],
    ['42704', 'refused', null, 'db rejects a part of its address: why.'],
  ] as const)('reports %s as %s', (code, problem, retryAfter, message) => {
    const cause = failed(code);
    const error = explainPostgresError(cause, 'db');
    expect(error).toBeInstanceOf(PostgresError);
    expect(error).toMatchObject({ problem, retryAfter, cause, isReported: problem === 'unreachable' });
    if (error instanceof Error) expect(error.message).toMatch(message);
  });

  it('reports a damaged row with its column', () => {
    const cause = new DamagedRowError('column mode holds an unknown value');
    expect(explainPostgresError(cause, 'db')).toMatchObject({
      ...{ name: 'PostgresError', problem: 'damaged', retryAfter: null, isReported: false, cause },
      message: 'db is damaged: column mode holds an unknown value.',
    });
  });

  it('finds no code in an error without a code, or with a code that is not a string', () => {
    expect([new Error('why'), failed(5), { code: '53100' }, null].map(codeOf)).toEqual(['', '', '', '']);
    expect(codeOf(failed('53100'))).toBe('53100');
  });

  it('keeps an unknown error unchanged', () => {
    for (const error of [failed('22003'), failed(5), new Error('why'), { code: '53100' }, null])
      expect(explainPostgresError(error, 'db')).toBe(error);
  });

  it('distinguishes a lost connection and an interfering transaction from other errors', () => {
    expect(['ENOTFOUND', '08003', '57P03', '40001', '53100'].map((code) => isLost(failed(code)))).toEqual([
      ...[true, true, true, false, false],
    ]);
    expect(['40001', '40P01', '55P03'].map((code) => isInterference(failed(code)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
