import { idempotencyKeyLength, type Operation } from '@topup-kit/core/contract';
import { TopupUsageError } from './errors/index.ts';
import type { Fetch, TopupClientOptions } from './options.ts';

/** The client's options, checked and complete. */
export interface Config {
  /** Without a slash at its end. */
  baseUrl: string;
  apiKey: string | undefined;
  fetch: Fetch;
  timeout: number;
}

const defaultTimeout = 30_000;
/** Timers of every runtime take no more: 2^31 - 1 ms, almost 25 days. */
const longestTimeout = 2_147_483_647;
/** What a header carries unchanged everywhere. */
const visibleAscii = /^[\x21-\x7e]+$/;

export function resolveConfig({ baseUrl, apiKey, fetch, timeout }: TopupClientOptions): Config {
  return {
    baseUrl: checkBaseUrl(baseUrl),
    apiKey: apiKey === undefined ? undefined : checkApiKey(apiKey),
    // Looked up at each call, so that a fetch patched later (MSW, tracing) is the one called.
    fetch: fetch ?? ((request) => globalThis.fetch(request)),
    timeout: checkTimeout(timeout ?? defaultTimeout),
  };
}

function checkBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TopupUsageError(
      'INVALID_BASE_URL',
      'baseUrl must be an absolute http(s) URL, such as https://shop.example/api.',
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TopupUsageError(
      'INVALID_BASE_URL',
      'baseUrl must have no credentials, query or fragment: the key goes into apiKey.',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function checkApiKey(apiKey: string): string {
  if (visibleAscii.test(apiKey)) return apiKey;
  throw new TopupUsageError(
    'INVALID_API_KEY',
    'apiKey must be visible ASCII without spaces or line breaks. Leave it out to send none.',
  );
}

export function checkTimeout(timeout: number, operation?: Operation): number {
  if (timeout > 0 && timeout <= longestTimeout) return timeout;
  throw new TopupUsageError(
    'INVALID_TIMEOUT',
    `timeout must be more than 0 and at most ${longestTimeout} milliseconds.`,
    operation,
  );
}

export function checkIdempotencyKey(key: string, operation: Operation): string {
  if (visibleAscii.test(key) && key.length <= idempotencyKeyLength) return key;
  throw new TopupUsageError(
    'INVALID_IDEMPOTENCY_KEY',
    `idempotencyKey must be 1 to ${idempotencyKeyLength} visible ASCII characters.`,
    operation,
  );
}
