import type { RequestContext, SentRequest } from '@topup-kit/core/app';

type Fields = Record<string, string>;

/** The longest form that is read, in bytes. */
const maxFormBytes = 64 * 1024;

/** A body can be read once only. */
const forms = new WeakMap<SentRequest, Promise<Fields>>();

async function read(request: SentRequest): Promise<Fields> {
  const body = await request.readBody(maxFormBytes);
  const fields = new URLSearchParams(new TextDecoder().decode(body ?? new Uint8Array()));
  // Notes have lines; other control characters come only from what was pasted, and some stores can't keep them.
  return Object.fromEntries([...fields].map(([name, text]) => [name, text.replace(/[^\P{Cc}\n\r\t]/gu, '')]));
}

/** The fields of a form, however often they are asked for; of one that is repeated, the last. A form that is too long has none. */
export function readForm({ env: { request } }: { env: Pick<RequestContext, 'request'> }): Promise<Fields> {
  const form = forms.get(request) ?? read(request);
  forms.set(request, form);
  return form;
}
