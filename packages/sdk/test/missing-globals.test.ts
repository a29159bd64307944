import { createTopupClient } from '@topup-kit/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { importInBareRealm } from '../../../test/bare-realm.ts';
import { entries } from './entries.ts';
import { baseUrl, responding } from './responses.ts';

afterEach(() => void vi.unstubAllGlobals());

/** What jsdom has in Jest: Headers and AbortSignal, but nothing to send a request with. */
const beInJestWithJsdom = (): void => {
  for (const name of ['Request', 'Response', 'fetch', 'TextEncoder', 'TextDecoder', 'ReadableStream'])
    vi.stubGlobal(name, undefined);
};

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe.each(entries)('%s in an environment without the Web platform', (_entry, createTopupClient) => {
  it('names missing globals and how to add them', () => {
    beInJestWithJsdom();

    expect(thrownBy(() => createTopupClient({ baseUrl }))).toMatchObject({
      name: 'TopupUsageError',
      code: 'UNSUPPORTED_ENVIRONMENT',
      message: expect.stringMatching(
        /^@topup-kit\/sdk needs Request, Response and fetch, which .*jest-fixed-jsdom/,
      ),
    });
  });

  it('needs no global fetch if it has a fetch option', () => {
    vi.stubGlobal('fetch', undefined);

    expect(createTopupClient({ baseUrl, fetch: responding(200, {}) })).toHaveProperty('games');
    expect(thrownBy(() => createTopupClient({ baseUrl }))).toMatchObject({
      message: expect.stringContaining('needs fetch,'),
    });
  });
});

it.each(['@topup-kit/sdk', '@topup-kit/sdk/light', '@topup-kit/sdk/proxy'])(
  'imports %s without globals',
  async (entry) => {
    expect(await importInBareRealm(entry, import.meta.dirname)).toBeTypeOf('object');
  },
);

describe('a body that is an object of byte indices, as another realm produces', () => {
  const body = Object.fromEntries(new TextEncoder().encode('{"success":true}').entries());
  const fetch = responding(200, body);

  it('rejects an object of byte indices as a body in strict validation', async () => {
    const { error } = await createTopupClient({ baseUrl, fetch, validation: 'strict' }).games.list().safe();

    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', path: '$.success' });
  });

  it('reports an object of byte indices as a body in the default validation', async () => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

    await createTopupClient({ baseUrl, fetch, logger }).games.list();

    expect(logger.warn).toHaveBeenCalledWith(
      expect.stringContaining('does not match'),
      expect.objectContaining({ operation: 'listGames', path: '$.success' }),
    );
  });
});
