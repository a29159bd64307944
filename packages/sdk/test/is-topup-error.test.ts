import { createTopupClient, isTopupError, TopupError } from '@topup-kit/sdk';
import { describe, expect, it, vi } from 'vitest';
import { answering, baseUrl, rejection } from './responses.ts';

describe('isTopupError', () => {
  it('knows every error of the family', async () => {
    const error = await rejection(createTopupClient({ baseUrl, fetch: answering(404, {}) }).games.list());

    expect(isTopupError(error)).toBe(true);
    expect(error).toBeInstanceOf(TopupError);
  });

  it('tells codes apart', async () => {
    const error = await rejection(createTopupClient({ baseUrl, fetch: answering(404, {}) }).games.list());

    expect(isTopupError(error, 'NOT_FOUND')).toBe(true);
    expect(isTopupError(error, 'RATE_LIMITED')).toBe(false);
  });

  it('knows the errors of another copy of the package', async () => {
    vi.resetModules();
    const copy = await import('@topup-kit/sdk');
    const error = await rejection(
      copy.createTopupClient({ baseUrl, fetch: answering(404, {}) }).games.list(),
    );

    expect(error).not.toBeInstanceOf(TopupError);
    expect(isTopupError(error, 'NOT_FOUND')).toBe(true);
  });

  it.each([new Error('NOT_FOUND'), { code: 'NOT_FOUND' }, null, undefined, 'NOT_FOUND'])(
    'does not know %s',
    (stranger) => {
      expect(isTopupError(stranger)).toBe(false);
    },
  );
});
