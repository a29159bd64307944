import type { StoredCallback } from '@topup-kit/core/store';
import { isoTime, readableTime } from '../../output/format.ts';
import type { OutputStyle, Style } from '../../output/style.ts';
import { list } from '../../output/table.ts';
import { printable, visible } from '../../output/text.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { notInStore, type OperatorStore } from '../../store/open.ts';

/** Finds a callback, or throws an error that explains how to list callbacks. */
export async function findCallback(callbackId: string, operating: OperatorStore): Promise<StoredCallback> {
  const callback = await operating.store.findCallback(callbackId);
  if (callback) return callback;
  throw notInStore(operating, `callback ${callbackId}`, 'CALLBACK_NOT_FOUND', 'callbacks list');
}

const outcomeStyles: ReadonlyMap<string, Style> = new Map(
  Object.entries<Style>({
    applied: 'good',
    reconciliation: 'waiting',
    contradiction: 'bad',
    unmatched: 'bad',
    rejected: 'bad',
    failed: 'bad',
  }),
);

export const outcomeStyle = (outcome: string): Style | undefined => outcomeStyles.get(outcome);

const outcomeSentences: Record<StoredCallback['outcome'], string> = {
  applied: 'applied: it changed something',
  unchanged: 'unchanged: it reports nothing new',
  contradiction: 'contradiction: it contradicts an earlier outcome, so it changed nothing',
  reconciliation: 'reconciliation: an operator must settle its payment (topup payments list)',
  unmatched: 'unmatched: nothing in this store matches it',
  ignored: 'ignored: it needs no action',
  rejected: "rejected: it is not genuine, or it can't be read",
  failed: 'failed: the server could not handle it, and asked the provider to repeat it',
};

/** Decodes bytes as text; null if they are not valid text. */
function textOf(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}

/**
 * Converts a callback with its body for `--json`. If the body is not text, only `body_base64` contains it. `sent_bytes` is the original
 * size of a body that was stored in part.
 */
export const callbackDocument = (callback: StoredCallback) => ({
  callback_id: callback.callbackId,
  provider: callback.provider,
  received_at: isoTime(callback.receivedAt),
  address: callback.address,
  outcome: callback.outcome,
  reason: callback.reason,
  order_id: callback.orderId,
  handled_at: isoTime(callback.handledAt),
  attempts: callback.attempts,
  replay_requested: callback.replay,
  headers: callback.headers,
  body: textOf(callback.body),
  body_base64: Buffer.from(callback.body).toString('base64'),
  sent_bytes: callback.sentBytes,
});

const bytesInLine = 16;

/** Formats a hex dump: offset, bytes in hex, and printable bytes as text. */
function hexLines(body: Uint8Array): string {
  const bytes = Buffer.from(body);
  let lines = '';
  for (let start = 0; start < bytes.length; start += bytesInLine) {
    const line = bytes.subarray(start, start + bytesInLine);
    const hex = line.toString('hex').replaceAll(/..(?=.)/g, '$& ');
    const text = line.toString('latin1').replaceAll(/[^ -~]/g, '.');
    lines += `  ${start.toString(16).padStart(6, '0')}  ${hex.padEnd(bytesInLine * 3 - 1)}  ${text}\n`;
  }
  return lines;
}

/** Formats a body for a terminal: text with escaped control characters, or a hex dump. */
function bodyScreen(body: Uint8Array): string {
  if (body.length === 0) return '  (empty)\n';
  const text = textOf(body);
  if (text === null) return hexLines(body);
  return text
    .split(/\r?\n/)
    .map((line) => `  ${visible(line)}\n`)
    .join('');
}

const bodyTitle = ({ body, sentBytes }: StoredCallback): string =>
  sentBytes === null
    ? `BODY (${body.length} bytes)`
    : `BODY (the first ${body.length} of ${sentBytes} bytes)`;

function callbackScreen(callback: StoredCallback, style: OutputStyle): string {
  const details = list(
    [
      ['Callback', callback.callbackId],
      ['From', `${callback.provider} (${callback.address})`],
      ['Received', readableTime(callback.receivedAt)],
      ['Outcome', outcomeSentences[callback.outcome], outcomeStyle(callback.outcome)],
      ['Why', callback.reason],
      ['Order', callback.orderId ?? 'none'],
      [
        'Handled',
        `${readableTime(callback.handledAt)}${callback.attempts > 1 ? `, attempt ${callback.attempts}` : ''}`,
      ],
      ['Replay', callback.replay ? 'requested' : null],
    ],
    style,
  );
  const headers = Object.entries(callback.headers).map(
    ([name, value]) => `  ${printable(name)}: ${printable(value)}\n`,
  );
  return `${details}\n${style.paint('title', 'HEADERS')}\n${headers.join('')}\n${style.paint('title', bodyTitle(callback))}\n${bodyScreen(callback.body)}`;
}

/** Tells whether a callback can be replayed. A body that was stored in part can't be verified again. */
const isReplayable = ({ replay, sentBytes }: StoredCallback): boolean => !replay && sentBytes === null;

export const callbackArgument = ['<callback-id>', 'id of the callback, such as cb_k3v9x2ma'] as const;

export const show = defineStoreCommand({
  name: 'show',
  description: 'Show a callback as it arrived, and its outcome',
  build: (command) => command.argument(...callbackArgument),
  example: 'callbacks show cb_k3v9x2ma',
  async run(operating, context, _options, callbackId) {
    const callback = await findCallback(callbackId, operating);
    await context.print({
      document: callbackDocument(callback),
      ids: [callbackId],
      screen: (style) => callbackScreen(callback, style),
    });
    if (callback.outcome === 'reconciliation')
      context.remark(`\nTo settle or return its money:\n  ${operating.commandLine('payments list')}`);
    if ((callback.outcome === 'failed' || callback.outcome === 'rejected') && isReplayable(callback))
      context.remark(
        `\nTo handle it again${callback.outcome === 'rejected' ? ', after its reason was corrected' : ''}:\n  ${operating.commandLine(`callbacks replay ${callbackId}`)}`,
      );
  },
});
