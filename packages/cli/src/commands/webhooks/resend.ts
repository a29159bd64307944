import type { WebhookFilter, WebhookState } from '@topup-kit/core/store';
import { defineCommand } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { filled } from '../../input/arguments.ts';
import { whenReader, whenText } from '../../input/moments.ts';
import { confirm, dryRunOption, nothingChanged, yesOption } from '../../input/prompts.ts';
import { counted } from '../../output/format.ts';
import {
  hasServer,
  notInStore,
  type OperatorStore,
  storeOption,
  withOperatorStore,
} from '../../store/open.ts';
import { typeOption } from './deliveries.ts';
import { findEndpoint } from './endpoint.ts';

/** More are not counted before they are sent again. */
const mostCounted = 10_000;

/**
 * What has not arrived: what waits for its next attempt, and what is not tried again by itself. In this order, because the latter becomes
 * the former.
 */
const notArrived: readonly WebhookState[] = ['pending', 'failed'];

interface Selection {
  filters: WebhookFilter[];
  /** How many deliveries there are, at most {@link mostCounted}. */
  count: number;
  /** The webhooks that they are for. */
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

/** A sentence on whether they are sent. */
async function whoSends(operating: OperatorStore): Promise<string> {
  return (await hasServer(operating))
    ? 'The running server sends within a second.'
    : 'No server runs on this store: nothing is sent until you start one.';
}

/** Which of the webhooks are sent nothing. */
async function disabledOnes({ store }: OperatorStore, endpointIds: readonly string[]): Promise<string[]> {
  const all = await store.listWebhookEndpoints();
  return all
    .filter(({ endpointId, disabled }) => disabled !== null && endpointIds.includes(endpointId))
    .map(({ endpointId }) => endpointId);
}

export const resend = defineCommand({
  name: 'resend',
  description: 'Send events again: one, what has not arrived since a time, or those of a type',
  help: `An event is sent again with its id, so that a receiver which has handled it
already can tell. Its retries begin anew. Events are kept for 30 days.`,
  build: (command) =>
    command
      .argument('[event-id]', 'id of the event, such as evt_0c5d9a...')
      .option('--endpoint <endpoint-id>', 'only to this webhook', filled)
      .option(
        '--failed-since <time>',
        'what has not arrived of the events since then: a time, a date, or how long ago, such as 2h',
        whenText,
      )
      .addOption(typeOption())
      .option(...yesOption)
      .option(...dryRunOption)
      .option(...storeOption),
  example: 'webhooks resend --failed-since 2h --endpoint ep_k3v9x2ma',
  run: (context, options, eventId) =>
    withOperatorStore(context, options, async (operating) => {
      const { endpoint, type, failedSince, dryRun } = options;
      const isOne = eventId !== undefined;
      if (!isOne && failedSince === undefined && type === undefined)
        throw usageError('Name an event, or say which ones with --failed-since or --type.');
      if (isOne && (failedSince !== undefined || type !== undefined))
        throw usageError('An event is named by its id, without --failed-since and --type.');
      if (endpoint !== undefined) await findEndpoint(endpoint, operating);
      const from = (await whenReader(context.io, Date.now()))(failedSince, 'begin');
      const wanted = { endpointId: endpoint, eventId, type, from };
      const filters = from === undefined ? [wanted] : notArrived.map((state) => ({ ...wanted, state }));
      const { count, endpointIds } = await select(operating, filters);
      if (isOne && count === 0)
        throw notInStore(operating, {
          what: `delivery of ${eventId}${endpoint === undefined ? '' : ` to ${endpoint}`}`,
          code: 'EVENT_NOT_FOUND',
          listedBy: 'webhooks deliveries',
        });
      const what = `${count >= mostCounted ? 'at least ' : ''}${counted(count, 'delivery', 'deliveries')}`;
      let resent = count;
      if (!dryRun && count > 0) {
        if (!isOne)
          await confirm(context, {
            yes: options.yes,
            consequence: `${what} to ${endpointIds.join(', ')} will be sent again${from === undefined ? ', also what has arrived already' : ''}.`,
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
      if (resent === 0) return context.remark('Nothing of that kind is there.');
      const { commandLine } = operating;
      for (const id of await disabledOnes(operating, endpointIds))
        context.remark(
          `${id} is disabled, so nothing is sent there until you enable it:\n  ${commandLine(`webhooks edit ${id} --enable`)}`,
        );
      context.remark(
        `${await whoSends(operating)} What comes of it:\n  ${commandLine('webhooks deliveries')}`,
      );
    }),
});
