import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isKeyText, sandboxKey } from '../src/contract/index.ts';
import { createKeyText, localMoment, zonedTime } from '../src/features/index.ts';
import { crc16, emvQr } from '../src/gateway/simulated.ts';
import { randomBelow, randomText, secureRandom } from '../src/platform/index.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('the text of a key', () => {
  it('creates keys of tk_test_ or tk_live_, 30 base62 characters and a checksum of 6', () => {
    expect(createKeyText('live', secureRandom)).toMatch(/^tk_live_[0-9A-Za-z]{36}$/);
    expect(createKeyText('test', secureRandom)).toMatch(/^tk_test_[0-9A-Za-z]{36}$/);
  });

  it('ends a key with the CRC-32 of the text before it, in base62', () => {
    const key = createKeyText('live', secureRandom);
    const checksum = [...key.slice(-6)].reduce((value, digit) => value * 62 + base62.indexOf(digit), 0);
    expect(checksum).toBe(crc32(key.slice(0, -6)));
  });

  it('detects a mistyped key without a look-up', () => {
    expect(isKeyText(sandboxKey)).toBe(true);
    expect(isKeyText(sandboxKey.replace('sandbox', 'sandbux'))).toBe(false);
    expect(isKeyText('tk_test_')).toBe(false);
  });

  it.each([
    ['tk_live_', 30, true],
    ['tk_live_', 31, false],
    ['tk_live_', 29, false],
    ['xtk_live_', 30, false],
    ['tk_prod_', 30, false],
  ])('finds for a key that is %s with %i characters and the right checksum: %s', (start, length, isKey) => {
    const body = start + 'a'.repeat(length);
    let checksum = '';
    for (let rest = crc32(body); checksum.length < 6; rest = Math.floor(rest / 62))
      checksum = `${base62[rest % 62]}${checksum}`;
    expect(isKeyText(body + checksum)).toBe(isKey);
  });
});

describe('a moment in a zone', () => {
  it('writes a time with the offset of its zone', () => {
    const moment = Date.UTC(2026, 2, 29, 3, 0, 0);
    expect(zonedTime('Asia/Jakarta')(moment)).toEqual({
      iso: '2026-03-29T10:00:00+07:00',
    });
    expect(zonedTime('America/St_Johns')(moment).iso).toBe('2026-03-29T00:30:00-02:30');
    expect(zonedTime('UTC')(moment).iso).toBe('2026-03-29T03:00:00+00:00');
  });

  it('follows daylight saving time', () => {
    const berlin = zonedTime('Europe/Berlin');
    expect(berlin(Date.UTC(2026, 2, 29, 0, 59, 59)).iso).toBe('2026-03-29T01:59:59+01:00');
    expect(berlin(Date.UTC(2026, 2, 29, 1, 0, 0)).iso).toBe('2026-03-29T03:00:00+02:00');
  });
});

it('rejects an unknown time zone', () => {
  expect(() => zonedTime(`Asia/${randomUUID()}`)).toThrow(RangeError);
});

describe('a local time in a zone', () => {
  it('converts a local time to the moment that the zone writes in this way', () => {
    expect(localMoment('Asia/Jakarta', '2026-12-31T18:00')).toBe(Date.UTC(2026, 11, 31, 11));
    expect(localMoment('America/St_Johns', '2026-03-29T00:30')).toBe(Date.UTC(2026, 2, 29, 3));
  });

  it('reads local times correctly in every hour around daylight saving time, and after its gap', () => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Sao_Paulo']) {
      const zoned = zonedTime(zone);
      for (const start of [
        Date.UTC(2018, 10, 3),
        Date.UTC(2026, 2, 7),
        Date.UTC(2026, 2, 28),
        Date.UTC(2026, 9, 24),
      ])
        for (let hour = 0; hour < 72; hour += 1) {
          const local = zoned(start + hour * 60 * 60_000).iso.slice(0, 19);
          expect(zoned(localMoment(zone, local)).iso.slice(0, 19)).toBe(local);
        }
    }
    expect(localMoment('Europe/Berlin', '2026-03-29T02:30')).toBe(Date.UTC(2026, 2, 29, 1, 30));
    expect(localMoment('America/Sao_Paulo', '2018-11-04T00:00')).toBe(Date.UTC(2018, 10, 4, 3));
  });
});

describe('random texts and numbers', () => {
  it('favours no character in random texts', () => {
    const counts = new Map<string, number>();
    for (const letter of randomText(secureRandom, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 26_000))
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(26);
    // Six standard deviations around 1,000.
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(190);
  });

  it('skips bytes that would favour the first characters', () => {
    const bytes = [255, 1, 254, 0, 25];
    const random = (length: number) => new Uint8Array(bytes.splice(0, length));
    expect(randomText(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 2)).toBe('BA');
  });

  it('keeps random numbers below their bound', () => {
    for (let count = 0; count < 1_000; count += 1) expect(randomBelow(secureRandom, 3)).toBeLessThan(3);
  });
});

describe('a QRIS code', () => {
  it("computes the standard's checksum for its check text", () => {
    expect(crc16('123456789')).toBe('29B1');
  });

  it('writes amount, currency and country into a QRIS code, and ends it with the checksum', () => {
    const code = emvQr({ amount: 40_000, reference: 'SIM1' });
    expect(code).toMatch(/^000201010212/);
    expect(code).toContain('5303360');
    expect(code).toContain('540540000');
    expect(code).toContain('5802ID');
    expect(code.slice(-8, -4)).toBe('6304');
    expect(code.slice(-4)).toBe(crc16(code.slice(0, -4)));
  });
});
