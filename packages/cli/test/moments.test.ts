import { describe, expect, it } from 'vitest';
import { isTimeText, momentReader, timeText, whenReader, whenText } from '../src/input/moments.ts';
import type { Io } from '../src/io.ts';

const io = (environment: Record<string, string> = {}): Io => ({ environment }) as unknown as Io; // Safe: the code uses nothing else of this value.
/** 30 March in Jakarta, and still the 29th in London. */
const now = Date.parse('2026-03-29T18:00:00Z');

describe('a time on the command line', () => {
  it.each([
    '2026-12-31',
    '2028-02-29',
    '2026-01-01',
    '2026-12-31T18:00',
    '2026-12-31T18:00:59',
    '2026-12-31T18:00Z',
    '2026-12-31T18:00+07:00',
    '2026-12-31T18:00:59-11:30',
  ])('accepts %s as a time on the command line', (text) => {
    expect(isTimeText(text)).toBe(true);
    expect(timeText(text)).toBe(text);
    expect(whenText(text)).toBe(text);
  });

  it.each([
    '2026-02-29',
    '2026-00-10',
    '2026-13-10',
    '2026-04-31',
    '2026-04-00',
    '2026-04-31T18:00',
    '2026-12-31T25:00',
    '2026-12-31T18',
    '2026-12-31T18:00+7',
    '2026-12-31 18:00',
    'x2026-12-31',
    '2026-12-31x',
    '2026-12-31T18:00Zx',
    'x2026-12-31T18:00',
    '31.12.2026',
    'tomorrow',
    '',
  ])('rejects %j as a time', (text) => {
    expect(isTimeText(text)).toBe(false);
    expect(() => timeText(text)).toThrow('Give a time such as 2026-12-31 or 2026-12-31T18:00+07:00.');
    expect(() => whenText(text)).toThrow('today, yesterday or 2h (ago).');
  });

  it.each(['today', 'yesterday', '2h', '30m'])('accepts %s as the start or end of a period', (text) => {
    expect(whenText(text)).toBe(text);
    expect(() => timeText(text)).toThrow();
  });
});

describe('a moment', () => {
  it.each<[string | undefined, 'begin' | 'end', string | null]>([
    [undefined, 'begin', null],
    ['2026-03-29', 'begin', '2026-03-28T17:00:00.000Z'],
    ['2026-03-29', 'end', '2026-03-29T17:00:00.000Z'],
    ['2026-12-31', 'end', '2026-12-31T17:00:00.000Z'],
    ['2026-03-29T09:30', 'begin', '2026-03-29T02:30:00.000Z'],
    ['2026-03-29T09:30', 'end', '2026-03-29T02:30:00.000Z'],
    ['2026-03-29T09:30Z', 'begin', '2026-03-29T09:30:00.000Z'],
    ['2026-03-29T09:30-02:00', 'end', '2026-03-29T11:30:00.000Z'],
  ])("reads %s as the %s in the store's time zone: %s", async (text, edge, expected) => {
    expect((await momentReader(io()))(text, edge)).toBe(expected);
  });

  it('rejects an unknown time zone', async () => {
    await expect(momentReader(io({ TOPUP_TIMEZONE: 'Mars' }))).rejects.toThrow(
      'TOPUP_TIMEZONE must be a time zone such as Asia/Jakarta, not "Mars".',
    );
    for (const TOPUP_TIMEZONE of ['', 'Asia/Jakarta'])
      expect((await momentReader(io({ TOPUP_TIMEZONE })))('2026-03-29', 'begin')).toMatch(/^2026/);
  });

  it.each<[string | undefined, 'begin' | 'end', string | undefined]>([
    [undefined, 'begin', undefined],
    ['2h', 'begin', '2026-03-29T16:00:00.000Z'],
    ['2h', 'end', '2026-03-29T16:00:00.000Z'],
    ['today', 'begin', '2026-03-29T17:00:00.000Z'],
    ['today', 'end', '2026-03-30T17:00:00.000Z'],
    ['yesterday', 'begin', '2026-03-28T17:00:00.000Z'],
    ['yesterday', 'end', '2026-03-29T17:00:00.000Z'],
    ['2026-03-29', 'begin', '2026-03-28T17:00:00.000Z'],
  ])('reads %s as the %s of a period: %s', async (text, edge, expected) => {
    const read = (await whenReader(io(), now))(text, edge);
    expect(read === undefined ? undefined : new Date(read).toISOString()).toBe(expected);
  });
});
