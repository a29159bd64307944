import { headers as names } from '@topup-kit/core/contract';
import { isConnectFailure, systemCodeOf } from '../sending/http.ts';
import { version } from '../version.ts';
import type { Target } from './match-route.ts';
import type { ProxyConfig } from './options.ts';
import { ProxyError } from './proxy-error.ts';
import { readBytes, withTimeout } from './read-body.ts';

/** The service's answer, its body read. */
export interface ServiceResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Hundreds of times the longest answer of the contract: enough for any, and a bound. */
const maxResponseBytes = 8 * 1024 * 1024;

/**
 * Sends a request that holds nothing of the browser's but the path's parameters, the body and the
 * `Idempotency-Key`, once: whether an order may be tried again is for the browser's client to know.
 */
export async function callService(
  { method, path }: Target,
  body: Uint8Array<ArrayBuffer> | null,
  idempotencyKey: string | null,
  { baseUrl, apiKey, fetch, builtInFetch, timeout }: ProxyConfig,
): Promise<ServiceResponse> {
  const headers = new Headers({
    Accept: 'application/json',
    'User-Agent': `topup-kit-proxy/${version}`,
    [names.apiKey]: apiKey,
  });
  if (body !== null) headers.set('Content-Type', 'application/json');
  // As it came: whether it is well formed is for the service to say.
  if (idempotencyKey !== null) headers.set(names.idempotencyKey, idempotencyKey);
  return withTimeout(timeout, 'GATEWAY_TIMEOUT', async (signal) => {
    try {
      // Redirects are not followed: fetch would hand the key to whatever host they name.
      const request = new Request(baseUrl + path, { method, headers, body, redirect: 'manual', signal });
      return await readResponse(await fetch(request), signal);
    } catch (error) {
      // What a fetch throws may hold the request, and with it the key, so it goes no further.
      const unsent = builtInFetch && isConnectFailure(systemCodeOf(error));
      throw new ProxyError(unsent ? 'UNAVAILABLE' : 'BAD_GATEWAY');
    }
  });
}

async function readResponse(response: Response, signal: AbortSignal): Promise<ServiceResponse> {
  const bytes = await readBytes(response.body, maxResponseBytes, signal);
  if (bytes === undefined) throw new ProxyError('BAD_GATEWAY');
  return { status: response.status, headers: response.headers, text: new TextDecoder().decode(bytes) };
}
