import type { PlainResponse } from '@topup-kit/core/app';
import { headers, isKeyText, sandboxKey } from '@topup-kit/core/contract';
import type { Request, WhyIndirect } from './client.ts';

const advice = (reason: string): string =>
  `it works only in direct requests (docs/sandbox.md): ${reason}. Set TOPUP_API_KEY to your own key, and send that key`;

/** Hint for a well-formed test key, which opens its own world only in some sandboxes. */
const worldHint =
  'This sandbox does not know this key. A test key opens a separate world (docs/sandbox.md) only with --store memory:, and only in direct requests from this machine.';

/** Hint for such a key in a request whose header names a world. */
const namedWorldHint = `With the header ${headers.world}, send a key of the sandbox itself, not a test key with its own world (docs/sandbox.md).`;

/**
 * Adds a `hint` (our extension) to a 401 response if a sandbox rejected its well-known key or a world's key. These keys are public or
 * easily made, so the hint reveals nothing.
 */
export function withHint(response: PlainResponse, request: Request, whyIndirect: WhyIndirect): PlainResponse {
  const key = request.headers['x-api-key'];
  if (typeof response.body !== 'string' || typeof key !== 'string') return response;
  const reason = key === sandboxKey ? whyIndirect(request) : null;
  if (reason === null && (key === sandboxKey || !(key.startsWith('tk_test_') && isKeyText(key))))
    return response;
  const ofWorld = request.headers[headers.world.toLowerCase()] === undefined ? worldHint : namedWorldHint;
  const hint = reason === null ? ofWorld : `This is the well-known sandbox key: ${advice(reason)}.`;
  return { ...response, body: JSON.stringify({ ...JSON.parse(response.body), hint }) };
}

/** Calls `warn` once if the well-known key arrives in an indirect request, because some clients show only the status. */
export function explainOnce(warn: (message: string) => void): (request: Request, reason: string) => void {
  let explained = false;
  return (request, reason) => {
    if (explained || request.headers['x-api-key'] !== sandboxKey) return;
    explained = true;
    warn(`the well-known sandbox key was rejected, because ${advice(reason)}`);
  };
}
