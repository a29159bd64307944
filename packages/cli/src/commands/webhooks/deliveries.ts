import { Option } from '@commander-js/extra-typings';
import { eventTypes, testEventType } from '@topup-kit/core/contract';
import {
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookFilter,
  type WebhookState,
  webhookStates,
} from '@topup-kit/core/store';
import { usageError } from '../../errors/cli-error.ts';
import { filled, readOrderId, wholeNumber } from '../../input/arguments.ts';
import { whenReader, whenText } from '../../input/moments.ts';
import { confirm, dryRunOption, nothingChanged, yesOption } from '../../input/prompts.ts';
import { counted, isoTime, isoTimeOrNull, timeInColumn, titleWithZone } from '../../output/format.ts';
import type { OutputStyle, Style } from '../../output/style.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { cut, printable, visible } from '../../output/text.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { hasServer, notInStore, type OperatorStore } from '../../store/open.ts';
import { findOrderId } from '../../store/order-id.ts';
import { findEndpoint } from './endpoints.ts';

/** Converts one attempt for `--json`. `ms` is its duration. Without a response, `status` is null and `text` contains the reason. */
const attemptDocument = ({ at, ms, status, text }: WebhookAttempt) => ({
  at: isoTime(at),
  duration_ms: ms,
  status,
  text,
});

/** Converts a delivery with its last attempts, oldest first. */
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

/** Returns `200`, or the reason why there is no response. */
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

/** Maximum number of characters of a response that are shown. */
const shownText = 300;

/** Formats `29 Mar 2026, 10:00:31 (GMT+7)`, with seconds because the first retries are seconds apart. */
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

export function deliveryScreen(delivery: WebhookDelivery, { paint }: OutputStyle): string {
  const { eventId, type, orderId, endpointId, state, attempts, log } = delivery;
  const about = [type, orderId, endpointId].filter((word) => word !== null).join(' ');
  const missing = attempts > log.length ? `  the last ${log.length} of ${attempts} attempts:\n` : '';
  return `${paint('title', eventId)} ${about} ${paint(states.get(state), state)}\n${missing}${log.map(attemptLine).join('')}${nextWords(delivery)}`;
}

const allTypes = [...eventTypes, testEventType];

export const typeOption = () => new Option('--type <type>', 'only events of this type').choices(allTypes);

export const deliveries = defineStoreCommand({
  name: 'deliveries',
  description: 'Show event deliveries and their outcomes, newest first',
  build: (command) =>
    command
      .option('--endpoint <endpoint-id>', 'only deliveries to this endpoint', filled)
      .option('--event <event-id>', 'only this event, such as evt_0c5d9a...', filled)
      .addOption(new Option('--state <state>', 'only deliveries in this state').choices(webhookStates))
      .addOption(typeOption())
      .option('--order <order-id>', 'only events of this order', readOrderId)
      .option(
        '--since <time>',
        'only events since this time: a time, a date, or how long ago, such as 2h',
        whenText,
      )
      .option('--attempts', 'show time, duration and response of each attempt')
      .option('--limit <number>', 'maximum number of deliveries', wholeNumber, 20),
  example: 'webhooks deliveries --state failed --attempts',
  async run(operating, context, options) {
    const { endpoint, event, state, type, order, limit, attempts } = options;
    if (limit < 1) throw usageError('--limit must be a whole number from 1.');
    if (endpoint !== undefined) await findEndpoint(endpoint, operating);
    const from = (await whenReader(context.io, Date.now()))(options.since, 'begin');
    const orderId = order === undefined ? undefined : await findOrderId(operating, order, context);
    const filter = { endpointId: endpoint, eventId: event, orderId, state, type, from };
    // Reads one delivery more than requested, which shows whether there are more.
    const newest = await operating.store.listWebhookDeliveries({ ...filter, limit: limit + 1 });
    const shown = newest.slice(0, limit);
    await context.print({
      document: { deliveries: shown.map(deliveryDocument) },
      ids: shown.map(({ eventId }) => eventId),
      screen: (style) =>
        attempts
          ? shown.map((delivery) => deliveryScreen(delivery, style)).join('\n')
          : tableOf(columnsAt(shown[0]?.createdAt ?? 0), shown, style),
    });
    if (shown.length === 0) context.remark(`No matching deliveries in ${operating.path}.`);
    if (newest.length > limit)
      context.remark(
        `\nThere are more: --limit ${limit * 5} shows more, and options such as --since narrow the list.`,
      );
  },
});

/** Maximum number of deliveries to count before they are sent again. */
const mostCounted = 10_000;

/**
 * States of undelivered events: waiting for the next attempt, or without further attempts. Sending again turns the second state into the
 * first, so the second comes last.
 */
const notArrived: readonly WebhookState[] = ['pending', 'failed'];

interface Selection {
  filters: WebhookFilter[];
  /** Number of deliveries, at most {@link mostCounted}. */
  count: number;
  endpointIds: string[];
}

async function select({ store }: OperatorStore, filters: WebhookFilter[]): Promise<Selection> {
  const found = await Promise.all(
    filters.map((filter) => store.listWebhookDeliveries({ ...filter, limit: mostCounted })),
  );
  const deliveries = found.flat();
  const endpointIds = [...new Set(deliveries.map(({ endpointId }) => endpointId))];
  return { filters, count: deliveries.length, endpointIds };
}

/** Describes whether a running server sends the events. */
async function whoSends(operating: OperatorStore): Promise<string> {
  return (await hasServer(operating))
    ? 'The running server sends within a second.'
    : 'No server runs on this store: nothing is sent until you start one.';
}

/** Finds the disabled webhooks among these ids. */
async function disabledOnes({ store }: OperatorStore, endpointIds: readonly string[]): Promise<string[]> {
  const all = await store.listWebhookEndpoints();
  return all
    .filter(({ endpointId, disabled }) => disabled !== null && endpointIds.includes(endpointId))
    .map(({ endpointId }) => endpointId);
}

export const resend = defineStoreCommand({
  name: 'resend',
  description: 'Resend one event, undelivered events since a time, or all events of a type',
  help: `The event keeps its id, so a receiver can recognise an event that it has already
handled. Its retries begin anew. Events are kept for 30 days.`,
  build: (command) =>
    command
      .argument('[event-id]', 'id of the event, such as evt_0c5d9a...')
      .option('--endpoint <endpoint-id>', 'only to this webhook', filled)
      .option(
        '--failed-since <time>',
        'undelivered events since this time: a time, a date, or how long ago, such as 2h',
        whenText,
      )
      .addOption(typeOption())
      .option(...yesOption)
      .option(...dryRunOption),
  example: 'webhooks resend --failed-since 2h --endpoint ep_k3v9x2ma',
  async run(operating, context, options, eventId) {
    const { endpoint, type, failedSince, dryRun } = options;
    const isOne = eventId !== undefined;
    if (!isOne && failedSince === undefined && type === undefined)
      throw usageError('Name an event, or say which ones with --failed-since or --type.');
    if (isOne && (failedSince !== undefined || type !== undefined))
      throw usageError("Give either an event's id, or --failed-since and --type.");
    if (endpoint !== undefined) await findEndpoint(endpoint, operating);
    const from = (await whenReader(context.io, Date.now()))(failedSince, 'begin');
    const wanted = { endpointId: endpoint, eventId, type, from };
    const filters = from === undefined ? [wanted] : notArrived.map((state) => ({ ...wanted, state }));
    const { count, endpointIds } = await select(operating, filters);
    if (isOne && count === 0)
      throw notInStore(
        operating,
        `delivery of ${eventId}${endpoint === undefined ? '' : ` to ${endpoint}`}`,
        'EVENT_NOT_FOUND',
        'webhooks deliveries',
      );
    const what = `${count >= mostCounted ? 'at least ' : ''}${counted(count, 'delivery', 'deliveries')}`;
    let resent = count;
    if (!dryRun && count > 0) {
      if (!isOne)
        await confirm(context, {
          yes: options.yes,
          consequence: `${what} to ${endpointIds.join(', ')} will be sent again${from === undefined ? ', including events that have already arrived' : ''}.`,
        });
      resent = 0;
      for (const filter of filters) resent += await operating.store.resendWebhooks(filter, Date.now());
    }
    await context.print({
      document: { count: resent, endpoint_ids: endpointIds, ...(dryRun && { dry_run: true }) },
      ids: endpointIds,
      screen: () =>
        dryRun
          ? `${what} would be sent again.\n`
          : `${counted(resent, 'delivery is', 'deliveries are')} sent again.\n`,
    });
    if (dryRun) return context.remark(nothingChanged);
    if (resent === 0) return context.remark('No matching deliveries.');
    const { commandLine } = operating;
    for (const id of await disabledOnes(operating, endpointIds))
      context.remark(
        `${id} is disabled, so it receives nothing until you enable it:\n  ${commandLine(`webhooks edit ${id} --enable`)}`,
      );
    context.remark(
      `${await whoSends(operating)} To see the result:\n  ${commandLine('webhooks deliveries')}`,
    );
  },
});
