import type { RequestContext, SentRequest } from '@topup-kit/core/app';

type Fields = Record<string, string>;

/** Maximum size of a form in bytes. */
const maxFormBytes = 64 * 1024;

/** Forms that were already read, because a body can be read only once. */
const forms = new WeakMap<SentRequest, Promise<Fields>>();

async function read(request: SentRequest): Promise<Fields> {
  const body = await request.readBody(maxFormBytes);
  const fields = new URLSearchParams(new TextDecoder().decode(body ?? new Uint8Array()));
  // Notes may have line breaks. Other control characters are removed, because some stores can't keep them.
  return Object.fromEntries([...fields].map(([name, text]) => [name, text.replace(/[^\P{Cc}\n\r\t]/gu, '')]));
}

/**
 * Reads the fields of a form; later calls return the same result. A repeated field keeps its last value. A form that is too long has no
 * fields.
 */
export function readForm({ env: { request } }: { env: Pick<RequestContext, 'request'> }): Promise<Fields> {
  const form = forms.get(request) ?? read(request);
  forms.set(request, form);
  return form;
}
