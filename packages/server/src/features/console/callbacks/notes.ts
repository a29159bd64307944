import type { CallbackOutcome } from '@topup-kit/core/callback';
import type { StoredCallback } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import { rawBody } from '../bodies.ts';
import type { ReadNotes } from '../orders/note.ts';
import { details, type StateWords } from '../parts.ts';
import type { AlertLook } from '../section.ts';
import type { View } from '../view.ts';

const texts = {
  head: { id: 'Header', en: 'Headers' },
  body: { id: 'Isi', en: 'Body' },
  empty: { id: '(kosong)', en: '(empty)' },
  cut: { id: 'byte pertama dari', en: 'bytes, the first of' },
  callback: { id: 'Callback dari', en: 'Callback of' },
  raw: { id: 'Isi mentah', en: 'Raw body' },
};

/** The console's words for the outcomes of callbacks. */
export const outcomeWords: Record<CallbackOutcome, StateWords> = {
  applied: { text: { id: 'diterapkan', en: 'applied' }, tone: 'good' },
  unchanged: { text: { id: 'sudah diketahui', en: 'known before' }, tone: 'quiet' },
  contradiction: { text: { id: 'bertentangan', en: 'contradiction' }, tone: 'bad' },
  reconciliation: { text: { id: 'uang untuk dicocokkan', en: 'money to reconcile' }, tone: 'busy' },
  unmatched: { text: { id: 'tidak cocok dengan apa pun', en: 'matches nothing' }, tone: 'bad' },
  ignored: { text: { id: 'diabaikan', en: 'ignored' }, tone: 'quiet' },
  rejected: { text: { id: 'ditolak', en: 'rejected' }, tone: 'bad' },
  failed: { text: { id: 'gagal ditangani', en: 'not handled' }, tone: 'bad' },
};

export const callbackAlertLooks = {
  'failing-callbacks': {
    tone: 'quiet',
    icon: 'plug',
    title: { id: 'Callback gagal', en: 'Callbacks fail' },
    verb: { id: 'Lihat', en: 'Look' },
  },
} as const satisfies Record<string, AlertLook>;

/** Converts bytes to text, or to hex if they are not valid text. */
function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return Buffer.from(body).toString('hex');
  }
}

/** Renders the headers and body of a callback with likely secrets removed. */
export function rawCallback(view: View, { callbackId, headers, body, sentBytes }: StoredCallback): Markup {
  const words = view.words(texts);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const title =
    sentBytes === null
      ? words.body
      : `${words.body} (${view.number(body.length)} ${words.cut} ${view.number(sentBytes)})`;
  return html`<h3>${words.head}</h3>${rawBody(view, `head-${callbackId}`, head.join('\n') || words.empty)}
<h3>${title}</h3>${rawBody(view, `body-${callbackId}`, textOf(body) || words.empty)}`;
}

function noteContent(view: View, callback: StoredCallback): Markup {
  const { callbackId, reason } = callback;
  return html`${reason === null ? '' : html`<p class="soft">${reason}</p>`}${details(
    `callback-${callbackId}`,
    html`${view.words(texts).raw}`,
    html`<p><a href="${view.link(`/events/callbacks/${callbackId}`)}">${callbackId}</a></p>${rawCallback(view, callback)}`,
  )}`;
}

/** Maximum number of shown callbacks, because a provider may repeat a callback for days. */
const most = 50;

/** Reads the callbacks of an order. They are dated in real time, so a sandbox whose clock is ahead can show them before their order. */
export const readCallbacks: ReadNotes = async (store, { orderId, createdAt }) => {
  const callbacks = await store.listCallbacks({ orderId, limit: most });
  return callbacks.map((callback) => {
    const { provider, receivedAt, address, outcome } = callback;
    const { text, tone } = outcomeWords[outcome];
    return {
      at: Math.max(createdAt, receivedAt),
      shownAt: receivedAt,
      tone,
      title: (view) => `${view.words(texts).callback} ${provider}: ${view.text(text)}`,
      by: address,
      content: (view) => noteContent(view, callback),
    };
  });
};
