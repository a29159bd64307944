import type { RequestContext } from '@topup-kit/core/app';

/** The longest form that is read, in bytes. */
const maxFormBytes = 64 * 1024;

/** The fields of a form; of one that is repeated, the last. It is read once at most. */
export async function readForm({
  env,
}: {
  env: Pick<RequestContext, 'request'>;
}): Promise<Record<string, string>> {
  const body = await env.request.readBody(maxFormBytes);
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body ?? new Uint8Array())));
}
