import type { PlainResponse } from '@topup-kit/core/app';
import { isKeyText, sandboxKey } from '@topup-kit/core/contract';
import type { Request, WhyIndirect } from './client.ts';

const advice = (reason: string): string =>
  `it works only in direct requests (docs/sandbox.md): ${reason}; set TOPUP_API_KEY to a key of your own and send that`;

/** Said of a well-formed test key, which opens a world of its own only in some sandboxes. */
const worldHint =
  'This sandbox does not know this key. A test key opens a world of its own (docs/sandbox.md) only with --store memory:, and only in direct requests from this machine.';

/**
 * The 401 to a request, with a `hint` (ours) that says why a sandbox rejected its well-known key or that of a world. Everybody
 * knows or can make these keys, so the hint tells nobody what a rejected key would be.
 */
export function withHint(response: PlainResponse, request: Request, whyIndirect: WhyIndirect): PlainResponse {
  const key = request.headers['x-api-key'];
  if (typeof response.body !== 'string' || typeof key !== 'string') return response;
  const reason = key === sandboxKey ? whyIndirect(request) : null;
  if (reason === null && (key === sandboxKey || !(key.startsWith('tk_test_') && isKeyText(key))))
    return response;
  const hint = reason === null ? worldHint : `This is the well-known sandbox key: ${advice(reason)}.`;
  return { ...response, body: JSON.stringify({ ...JSON.parse(response.body), hint }) };
}

/** Calls `warn` once when the well-known key comes in a request that is not direct, because some clients show only the status. */
export function explainOnce(warn: (message: string) => void): (request: Request, reason: string) => void {
  let explained = false;
  return (request, reason) => {
    if (explained || request.headers['x-api-key'] !== sandboxKey) return;
    explained = true;
    warn(`the well-known sandbox key was rejected, because ${advice(reason)}`);
  };
}
