import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { operatorName } from '../src/input/operator.ts';
import type { Io } from '../src/io.ts';

const io = (TOPUP_OPERATOR?: string): Io => ({ environment: { TOPUP_OPERATOR } }) as unknown as Io; // Safe: the code uses nothing else of this value.

describe('the operator', () => {
  it("reads the operator's name from the flag, then the environment, then the system's user", () => {
    expect(operatorName(io('Ani'), 'Budi')).toBe('Budi');
    expect(operatorName(io('Ani'), undefined)).toBe('Ani');
    expect(operatorName(io(''), undefined)).toBe(userInfo().username);
    expect(operatorName(io(), ` Budi Santoso `)).toBe('Budi Santoso');
    expect(operatorName(io(), 'x'.repeat(100))).toBe('x'.repeat(100));
  });

  it.each([
    ['nothing', ''],
    ['blanks', '  '],
    ['a text of 101 characters', 'x'.repeat(101)],
    ['two lines', 'a\nb'],
    ['a text with control characters', 'a\u001b[2J'],
    ['a text with bidi characters', 'a\u202eb'],
  ])("rejects %s as an operator's name", (_case, name) => {
    const message = 'takes a name of 1 to 100 characters on one line.';
    expect(() => operatorName(io('Ani'), name)).toThrow(`--operator ${message}`);
    if (name !== '') expect(() => operatorName(io(name), undefined)).toThrow(`TOPUP_OPERATOR ${message}`);
  });
});
