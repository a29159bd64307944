import type { StoredCallback } from '@topup-kit/core/store';
import { html } from 'hono/html';
import { redactSecrets } from '../../observability/redact.ts';
import type { Markup } from '../../pages/html.ts';
import { copyable } from './parts.ts';
import type { View } from './view.ts';

const texts = {
  id: { head: 'Header', body: 'Isi', empty: '(kosong)', cut: 'byte pertama dari', copy: 'Salin' },
  en: { head: 'Headers', body: 'Body', empty: '(empty)', cut: 'bytes, the first of', copy: 'Copy' },
};

/** Bytes as a text; what is no text as hex. */
function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return Buffer.from(body).toString('hex');
  }
}

/** JSON in lines; anything else as it is. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A body that was sent or received, without what looks like a secret. `id` is unique in its page. */
export const rawBody = (view: View, id: string, text: string): Markup =>
  copyable(id, redactSecrets(readable(text)), view.text(texts).copy);

/** What a provider sent, without what looks like a secret: headers and body. */
export function rawCallback(
  view: View,
  {
    callbackId,
    headers,
    body,
    sentBytes,
  }: Pick<StoredCallback, 'callbackId' | 'headers' | 'body' | 'sentBytes'>,
): Markup {
  const words = view.text(texts);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const title =
    sentBytes === null
      ? words.body
      : `${words.body} (${view.number(body.length)} ${words.cut} ${view.number(sentBytes)})`;
  return html`<h3>${words.head}</h3>${rawBody(view, `head-${callbackId}`, head.join('\n') || words.empty)}
<h3>${title}</h3>${rawBody(view, `body-${callbackId}`, textOf(body) || words.empty)}`;
}
