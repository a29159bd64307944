import { readBytes } from '@topup-kit/core/http';
import type { RequestFacts } from '../errors/index.ts';
import { inBrowser } from '../request/check-options.ts';
import { responseError } from './read-response.ts';

/** Maximum size of a response, in bytes: 16 MiB, many times the list of all games of a large service. */
const maxResponseBytes = 2 ** 24;

/** One for all responses. Plain Jest with jsdom has no TextDecoder. */
const decoder = typeof TextDecoder === 'undefined' ? undefined : /* @__PURE__ */ new TextDecoder();

/**
 * Reads the body of a response. It stops at the maximum size, because an endless response would fill the memory. There is
 * no such limit in plain Jest with jsdom, and in browsers: Chromium shows a body that was read in parts as a cancelled
 * request.
 */
export async function readText(response: Response, facts: RequestFacts): Promise<string> {
  const { body } = response;
  if (!body || !decoder || inBrowser()) return response.text();
  const bytes = await readBytes(body, maxResponseBytes);
  if (bytes) return decoder.decode(bytes);
  throw responseError(
    response,
    facts,
    `a body of more than ${maxResponseBytes} bytes`,
    'Check that baseUrl is the URL of the API.',
    { code: 'RESPONSE_TOO_LARGE' },
  );
}
