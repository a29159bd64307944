import type { WebhookEndpoint } from '@topup-kit/core/store';
import { defineCommand } from '../../define-command.ts';
import { filled } from '../../input/arguments.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { storeOption, withOperatorStore } from '../../store/open.ts';
import {
  endpointArgument,
  endpointDocument,
  endpointScreen,
  eventWords,
  findEndpoint,
  stateOf,
  stateStyle,
} from './endpoint.ts';

/** A webhook with how many events are on their way there. */
interface Listed {
  endpoint: WebhookEndpoint;
  pending: number;
}

const columns: ColumnOf<Listed>[] = [
  [{ title: 'WEBHOOK' }, ({ endpoint }) => endpoint.endpointId],
  [{ title: 'ACCOUNT', long: true }, ({ endpoint }) => endpoint.accountId ?? '(all)'],
  [{ title: 'URL', long: true }, ({ endpoint }) => endpoint.url],
  [{ title: 'EVENTS', long: true, spare: true }, ({ endpoint }) => eventWords(endpoint)],
  [{ title: 'ABOUT', long: true, spare: true }, ({ endpoint }) => endpoint.description],
  [
    { title: 'WAITING', align: 'right', spare: true },
    ({ pending }) => (pending === 0 ? '' : String(pending)),
  ],
  [{ title: 'STATE', style: stateStyle }, ({ endpoint }) => stateOf(endpoint).replace(/:.*/, '')],
];

export const listWebhooks = defineCommand({
  name: 'list',
  description: 'List the webhooks, oldest first',
  build: (command) =>
    command.option('--account <account>', 'only those of this account', filled).option(...storeOption),
  example: 'webhooks list',
  run: (context, options) =>
    withOperatorStore(context, options, async ({ store, path }) => {
      const pending = await store.countPendingWebhooks();
      const webhooks = (await store.listWebhookEndpoints())
        .filter(({ accountId }) => options.account === undefined || accountId === options.account)
        .map((endpoint) => ({ endpoint, pending: pending.get(endpoint.endpointId) ?? 0 }));
      await context.print({
        document: { webhooks: webhooks.map((one) => endpointDocument(one.endpoint, one.pending)) },
        ids: webhooks.map(({ endpoint }) => endpoint.endpointId),
        screen: (style) => tableOf(columns, webhooks, style),
      });
      if (webhooks.length === 0) context.remark(`No such webhooks in ${path}.`);
    }),
});

export const showWebhook = defineCommand({
  name: 'show',
  description: 'Show a webhook, and how many events are on their way there',
  build: (command) => command.argument(...endpointArgument).option(...storeOption),
  example: 'webhooks show ep_k3v9x2ma',
  run: (context, options, endpointId) =>
    withOperatorStore(context, options, async (operating) => {
      const endpoint = await findEndpoint(endpointId, operating);
      const pending = (await operating.store.countPendingWebhooks()).get(endpointId) ?? 0;
      await context.print({
        document: endpointDocument(endpoint, pending),
        ids: [endpointId],
        screen: (style) => endpointScreen(endpoint, pending, style),
      });
      const { commandLine } = operating;
      if (endpoint.disabled !== null && endpoint.disabled !== 'operator')
        context.remark(
          `\nTo send it events again:\n  ${commandLine(`webhooks edit ${endpointId} --enable`)}`,
        );
      if (endpoint.failingSince !== null)
        context.remark(
          `\nWhat it responded:\n  ${commandLine(`webhooks deliveries --endpoint ${endpointId} --attempts`)}`,
        );
    }),
});
