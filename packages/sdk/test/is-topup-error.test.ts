import { createTopupClient, isTopupError, TopupError } from '@topup-kit/sdk';
import { describe, expect, it, vi } from 'vitest';
import { baseUrl, rejection, responding } from './responses.ts';

describe('isTopupError', () => {
  it('accepts every error from this package', async () => {
    const error = await rejection(createTopupClient({ baseUrl, fetch: responding(404, {}) }).games.list());

    expect(isTopupError(error)).toBe(true);
    expect(error).toBeInstanceOf(TopupError);
  });

  it('distinguishes errors by their codes', async () => {
    const error = await rejection(createTopupClient({ baseUrl, fetch: responding(404, {}) }).games.list());

    expect(isTopupError(error, 'NOT_FOUND')).toBe(true);
    expect(isTopupError(error, 'RATE_LIMITED')).toBe(false);
  });

  it("distinguishes a server's code from the same code of the package", async () => {
    const fetch = responding(422, { success: false }, { 'X-Error-Code': 'TIMEOUT' });
    const error = await rejection(createTopupClient({ baseUrl, fetch }).games.list());

    expect(error).toMatchObject({ name: 'TopupHttpError', code: 'TIMEOUT' });
    expect(isTopupError(error, 'TIMEOUT')).toBe(false);
    expect(isTopupError(error)).toBe(true);
  });

  it('accepts the errors from another copy of the package', async () => {
    vi.resetModules();
    const copy = await import('@topup-kit/sdk');
    const error = await rejection(
      copy.createTopupClient({ baseUrl, fetch: responding(404, {}) }).games.list(),
    );

    expect(error).not.toBeInstanceOf(TopupError);
    expect(isTopupError(error, 'NOT_FOUND')).toBe(true);
  });

  it.each([new Error('NOT_FOUND'), { code: 'NOT_FOUND' }, null, undefined, 'NOT_FOUND'])(
    "doesn't treat %s as a TopupError",
    (stranger) => {
      expect(isTopupError(stranger)).toBe(false);
    },
  );
});
