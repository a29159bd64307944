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
  it('names what is missing and how to get it', () => {
    beInJestWithJsdom();

    expect(thrownBy(() => createTopupClient({ baseUrl }))).toMatchObject({
      name: 'TopupUsageError',
      code: 'UNSUPPORTED_ENVIRONMENT',
      message: expect.stringMatching(
        /^@topup-kit\/sdk needs Request, Response and fetch, which .*jest-fixed-jsdom/,
      ),
    });
  });

  it('needs no global fetch when it is given one', () => {
    vi.stubGlobal('fetch', undefined);

    expect(createTopupClient({ baseUrl, fetch: responding(200, {}) })).toHaveProperty('games');
    expect(thrownBy(() => createTopupClient({ baseUrl }))).toMatchObject({
      message: expect.stringContaining('needs fetch,'),
    });
  });
});

it.each(['@topup-kit/sdk', '@topup-kit/sdk/light', '@topup-kit/sdk/proxy'])(
  '%s can be imported',
  async (entry) => {
    expect(await importInBareRealm(entry, import.meta.dirname)).toBeTypeOf('object');
  },
);
