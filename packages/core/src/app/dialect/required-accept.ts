import type { Answer } from '../answer.ts';

const namesJson = /[/+]json\b/i;

/**
 * The refusal of a request whose `Accept` doesn't name JSON; undefined when it does. 422 is the interface's status
 * for a required part that is missing, and a page because without the header it promises no JSON (4).
 */
export function refusalWithoutAccept(accept: string | null): Answer | undefined {
  if (accept !== null && namesJson.test(accept)) return undefined;
  return {
    status: 422,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
    body: '<!doctype html><title>422</title><p>The header <code>Accept: application/json</code> is required (interface 4).</p>\n',
  };
}
