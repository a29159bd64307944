import { Option } from '@commander-js/extra-typings';
import { eventTypes, testEventType } from '@topup-kit/core/contract';
import { type WebhookAttempt, type WebhookDelivery, webhookStates } from '@topup-kit/core/store';
import { defineCommand } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { filled, readOrderId, wholeNumber } from '../../input/arguments.ts';
import { whenReader, whenText } from '../../input/moments.ts';
import { isoTime, isoTimeOrNull, timeInColumn, titleWithZone } from '../../output/format.ts';
import type { OutputStyle, Style } from '../../output/style.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { cut, printable, visible } from '../../output/text.ts';
import { storeOption, withOperatorStore } from '../../store/open.ts';
import { findOrderId } from '../../store/order-id.ts';
import { findEndpoint } from './endpoint.ts';

/** `ms` is how long it took, in milliseconds; `status` is null without a response, and `text` then says why. */
const attemptDocument = ({ at, ms, status, text }: WebhookAttempt) => ({
  at: isoTime(at),
  duration_ms: ms,
  status,
  text,
});

/** A delivery with its last attempts, oldest first. */
export const deliveryDocument = (delivery: WebhookDelivery) => ({
  event_id: delivery.eventId,
  type: delivery.type,
  order_id: delivery.orderId,
  endpoint_id: delivery.endpointId,
  state: delivery.state,
  created_at: isoTime(delivery.createdAt),
  next_attempt_at: isoTimeOrNull(delivery.nextAt),
  attempt_count: delivery.attempts,
  attempts: delivery.log.map(attemptDocument),
});

const states: ReadonlyMap<string, Style> = new Map(
  Object.entries<Style>({ delivered: 'good', pending: 'waiting', failed: 'bad' }),
);

/** `200`, or why there was no response. */
const outcomeOf = ({ status, text }: WebhookAttempt): string => (status === null ? text : String(status));

const columnsAt = (moment: number): ColumnOf<WebhookDelivery>[] => [
  [{ title: titleWithZone('NOTICED', moment) }, ({ createdAt }) => timeInColumn(createdAt)],
  [{ title: 'EVENT' }, ({ eventId }) => eventId],
  [{ title: 'TYPE' }, ({ type }) => type],
  [{ title: 'ORDER', spare: true }, ({ orderId }) => orderId ?? ''],
  [{ title: 'WEBHOOK', spare: true }, ({ endpointId }) => endpointId],
  [{ title: 'STATE', style: (state) => states.get(state) }, ({ state }) => state],
  [
    { title: 'LAST', long: true, spare: true },
    ({ log }) => {
      const last = log.at(-1);
      return last ? outcomeOf(last) : '';
    },
  ],
];

/** How much of a response a screen shows, in characters. */
const shownText = 300;

/** `29 Mar 2026, 10:00:31 (GMT+7)`: the first retries are seconds apart. */
const momentWords = (moment: number): string => titleWithZone(timeInColumn(moment), moment);

export function attemptLine({ at, ms, status, text }: WebhookAttempt): string {
  const when = `${momentWords(at)}, ${ms} ms`;
  if (status === null) return `  ${when}: ${printable(text)}\n`;
  const body = text.trim() === '' ? '' : `\n    ${cut(visible(text.replace(/\s+/g, ' ').trim()), shownText)}`;
  return `  ${when}: HTTP ${status}${body}\n`;
}

function nextWords({ state, nextAt }: WebhookDelivery): string {
  if (state !== 'pending' || nextAt === null) return '';
  return nextAt <= Date.now() ? '  to be sent now\n' : `  next attempt ${momentWords(nextAt)}\n`;
}

/** A delivery with its attempts. */
export function deliveryScreen(delivery: WebhookDelivery, { paint }: OutputStyle): string {
  const { eventId, type, orderId, endpointId, state, attempts, log } = delivery;
  const about = [type, orderId, endpointId].filter((word) => word !== null).join(' ');
  const missing = attempts > log.length ? `  the last ${log.length} of ${attempts} attempts:\n` : '';
  return `${paint('title', eventId)} ${about} ${paint(states.get(state), state)}\n${missing}${log.map(attemptLine).join('')}${nextWords(delivery)}`;
}

const allTypes = [...eventTypes, testEventType];

export const typeOption = () => new Option('--type <type>', 'only events of this type').choices(allTypes);

export const deliveries = defineCommand({
  name: 'deliveries',
  description: 'Show what was sent, and what came of it, newest first',
  build: (command) =>
    command
      .option('--endpoint <endpoint-id>', 'only what is sent to this webhook', filled)
      .option('--event <event-id>', 'only this event, such as evt_0c5d9a...', filled)
      .addOption(new Option('--state <state>', 'only deliveries in this state').choices(webhookStates))
      .addOption(typeOption())
      .option('--order <order-id>', 'only events of this order', readOrderId)
      .option(
        '--since <time>',
        'only events since then: a time, a date, or how long ago, such as 2h',
        whenText,
      )
      .option('--attempts', 'show each attempt: when, how long it took, and what was responded')
      .option('--limit <number>', 'maximum number of deliveries', wholeNumber, 20)
      .option(...storeOption),
  example: 'webhooks deliveries --state failed --attempts',
  run: (context, options) =>
    withOperatorStore(context, options, async (operating) => {
      const { endpoint, event, state, type, order, limit, attempts } = options;
      if (limit < 1) throw usageError('--limit must be a whole number from 1.');
      if (endpoint !== undefined) await findEndpoint(endpoint, operating);
      const from = (await whenReader(context.io, Date.now()))(options.since, 'begin');
      const orderId = order === undefined ? undefined : await findOrderId(operating, order, context);
      const filter = { endpointId: endpoint, eventId: event, orderId, state, type, from };
      // One more than asked for shows whether there are others.
      const newest = await operating.store.listWebhookDeliveries({ ...filter, limit: limit + 1 });
      const shown = newest.slice(0, limit);
      await context.print({
        document: { deliveries: shown.map(deliveryDocument) },
        ids: shown.map(({ eventId }) => eventId),
        screen: (style) =>
          attempts
            ? shown.map((one) => deliveryScreen(one, style)).join('\n')
            : tableOf(columnsAt(shown[0]?.createdAt ?? 0), shown, style),
      });
      if (shown.length === 0) context.remark(`No such deliveries in ${operating.path}.`);
      if (newest.length > limit)
        context.remark(
          `\nThere are more: --limit ${limit * 5} shows more of them, --since and others select.`,
        );
    }),
});
