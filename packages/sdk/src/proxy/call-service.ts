import { headers as names } from '@topup-kit/core/contract';
import { clientName, readBytes } from '@topup-kit/core/http';
import { ProxyError } from '../errors/proxy-error.ts';
import { isTlsFailure, isUnsent, systemCodeOf } from '../sending/failures.ts';
import { version } from '../version.ts';
import { worldOf } from '../worlds/world-of.ts';
import type { Target } from './match-route.ts';
import type { ProxyConfig } from './options.ts';
import { withTimeout } from './read-body.ts';

export interface ServiceResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** A limit far above the largest response of any service: 8 MiB. */
const maxResponseBytes = 8 * 1024 * 1024;

/**
 * Sends a request to the service once. It takes only path parameters, body, `Idempotency-Key` and `Accept-Language` from the browser, and
 * with the corresponding options, its world and its client's address. It doesn't retry, because only the client in the browser knows
 * whether a retry is safe.
 */
export async function callService(
  { method, path }: Target,
  body: Uint8Array<ArrayBuffer> | null,
  browserHeaders: Headers,
  address: string | null | undefined,
  config: ProxyConfig,
): Promise<ServiceResponse> {
  const { baseUrl, apiKey, passCustomerIp, passWorld, fetch, timeout, noStore } = config;
  const headers = new Headers({
    Accept: 'application/json',
    'User-Agent': `topup-kit-proxy/${version}`,
    [names.apiKey]: apiKey,
  });
  if (body !== null) headers.set('Content-Type', 'application/json');
  // The name by which requests are counted. For IPv6, it is only the network, so that the service learns no more than it needs.
  const customer = passCustomerIp ? clientName(address) : '';
  if (/^[\da-f.:]+$/.test(customer)) headers.set(names.customerIp, customer);
  const world = passWorld ? worldOf(browserHeaders) : '';
  if (world) headers.set(names.world, world);
  // Passed on unchanged; the service validates them.
  for (const name of [names.idempotencyKey, names.acceptLanguage]) {
    const value = browserHeaders.get(name);
    if (value !== null) headers.set(name, value);
  }
  return withTimeout(timeout, 'GATEWAY_TIMEOUT', async (signal) => {
    try {
      // Redirects are not followed, because fetch would send the key to the other host.
      const request = new Request(baseUrl + path, {
        method,
        headers,
        body,
        redirect: 'manual',
        signal,
        ...(noStore && { cache: 'no-store' }),
      });
      const response = await fetch(request);
      config.reached = true;
      return await readResponse(response, signal);
    } catch (error) {
      // The error of a fetch may contain the request with the key, so it is not passed on.
      const systemCode = systemCodeOf(error);
      const unsent = config.builtInFetch && isUnsent(systemCode, config.reached);
      throw new ProxyError(unsent ? 'UNAVAILABLE' : 'BAD_GATEWAY', {
        reason: `no complete response (${systemCode ?? 'the error of fetch may hold the key'})${
          config.reached
            ? ', although the service responded before: it closed the connection or is out of reach now'
            : `: check ${isTlsFailure(systemCode) ? 'the scheme of ' : ''}baseUrl`
        }`,
      });
    }
  });
}

async function readResponse(response: Response, signal: AbortSignal): Promise<ServiceResponse> {
  const bytes = await readBytes(response.body, maxResponseBytes, signal);
  if (bytes === undefined) throw new ProxyError('BAD_GATEWAY');
  return { status: response.status, headers: response.headers, text: new TextDecoder().decode(bytes) };
}
