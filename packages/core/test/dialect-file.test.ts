import { describe, expect, it } from 'vitest';
import { completeDialect, interfaceOnlyDialect, kitDialect, parseDialect } from '../src/contract/index.ts';

const problem = (json: unknown): string => {
  try {
    parseDialect(json);
  } catch (error) {
    return String(error);
  }
  return 'no problem';
};

describe('a dialect in a file', () => {
  it('reads a dialect back unchanged after writing it', () => {
    expect(parseDialect(JSON.parse(JSON.stringify(interfaceOnlyDialect)))).toEqual(interfaceOnlyDialect);
  });

  it("fills in missing entries with this kit's choices", () => {
    const dialect = parseDialect({ routes: { getGame: false }, idempotency: 'ignored' });
    expect(dialect).toEqual({
      ...kitDialect,
      routes: { ...kitDialect.routes, getGame: false },
      idempotency: 'ignored',
    });
  });

  it.each(['Asia/Jakarta', '+07:00', null])('accepts the time zone %s', (timezone) => {
    expect(parseDialect({ timezone })).toEqual({ ...kitDialect, timezone });
  });

  it('lists the unknown entries and the known entries of a dialect', () => {
    expect(problem({ routes: { listPromos: true } })).toBe(
      'InvalidDialectError: dialect.routes has no listPromos; known entries: getGame, getCheckout, listOrders, getInvoice, getPaymentStatus, validatePromo, checkAccount, listEvents.',
    );
    expect(problem({ colour: 1, size: 2 })).toMatch(
      /dialect has no colour and no size; known entries: routes, errorBodies, headers/,
    );
    expect(problem({ buyStatuses: { Done: 'Done' } })).toBe(
      'InvalidDialectError: dialect.buyStatuses has no Done; known entries: Proses, Sukses, Gagal, Batal.',
    );
  });

  it.each([
    [{ idempotency: 'maybe' }, 'dialect.idempotency must be one of honoured, silent, ignored.'],
    [
      { errorBodies: { promo: 'xml' } },
      'dialect.errorBodies.promo must be one of message, business, validation, envelope.',
    ],
    [{ headers: { errorCode: 1 } }, 'dialect.headers.errorCode must be true or false.'],
    [{ expiryMinutes: { QRIS: 0 } }, 'dialect.expiryMinutes.QRIS must not be less than 1.'],
    [{ expiryMinutes: { QRIS: 527_041 } }, 'dialect.expiryMinutes.QRIS must not be more than 527040.'],
    [{ buyStatuses: { Sukses: '' } }, 'dialect.buyStatuses.Sukses must not be empty.'],
    [
      { paymentStatuses: { PAID: 'UNPAID' } },
      'dialect.paymentStatuses gives UNPAID to more than one status.',
    ],
    [
      { paymentStatuses: { PAID: 'EXPIRED' } },
      'dialect.paymentStatuses gives EXPIRED to more than one status.',
    ],
    [{ buyStatuses: { Proses: 'Pending' } }, 'dialect.buyStatuses gives Pending to more than one status.'],
    [{ timezone: 'Mars/Base' }, 'dialect.timezone: expected an IANA time zone or an offset.'],
    ['kit', 'dialect must be of type object.'],
  ])('rejects the dialect %j', (json, message) => {
    expect(problem(json)).toBe(`InvalidDialectError: ${message}`);
  });

  it('reports all problems of a dialect together', () => {
    expect(problem({ acceptRequired: 'no', messengerNumber: 0 })).toMatch(
      /messengerNumber .*; .*acceptRequired /,
    );
  });
});

describe('a dialect from differences', () => {
  it('completes a dialect from partial entries', () => {
    const { headers } = completeDialect({ headers: { requestId: false } });
    expect(headers).toEqual({
      errorCode: true,
      requestId: false,
      rateLimit: true,
      retryAfter: true,
      etag: true,
    });
  });

  it('completes a dialect from any other dialect', () => {
    const dialect = completeDialect({ routes: { getInvoice: true } }, interfaceOnlyDialect);
    expect(dialect).toEqual({
      ...interfaceOnlyDialect,
      routes: { ...interfaceOnlyDialect.routes, getInvoice: true },
    });
  });

  it('allows swapping the names of statuses', () => {
    const { buyStatuses } = completeDialect({ buyStatuses: { Gagal: 'Batal', Batal: 'Gagal' } });
    expect(buyStatuses).toEqual({ ...kitDialect.buyStatuses, Gagal: 'Batal', Batal: 'Gagal' });
  });

  it.each([
    [{ buyStatuses: { Gagal: 'Batal' } }, 'dialect.buyStatuses gives Batal to more than one status.'],
    [{ expiryMinutes: { QRIS: 0.5 } }, 'dialect.expiryMinutes.QRIS must be whole minutes from 1 to 527040.'],
    [
      { expiryMinutes: { QRIS: 0, 'E-Wallet': 527_041 } },
      'dialect.expiryMinutes.QRIS must be whole minutes from 1 to 527040; dialect.expiryMinutes.E-Wallet must be',
    ],
  ])('rejects differences that no service could use: %j', (changes, message) => {
    expect(() => completeDialect(changes)).toThrow(message);
  });

  it('accepts a payment expiry of a minute, and of 366 days', () => {
    const expiryMinutes = { QRIS: 1, 'E-Wallet': 527_040 };
    expect(completeDialect({ expiryMinutes }).expiryMinutes).toMatchObject(expiryMinutes);
  });

  it('ignores undefined values in a dialect', () => {
    expect(completeDialect({ timezone: undefined, headers: { errorCode: undefined } })).toEqual(kitDialect);
  });
});
