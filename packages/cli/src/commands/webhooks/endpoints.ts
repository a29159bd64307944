import { eventTypes } from '@topup-kit/core/contract';
import type { WebhookEndpoint } from '@topup-kit/core/store';
import { type CliError, reasonOf } from '../../errors/cli-error.ts';
import { filled } from '../../input/arguments.ts';
import type { Io } from '../../io.ts';
import { counted, isoTime, isoTimeOrNull, readableTime } from '../../output/format.ts';
import type { OutputStyle, Style } from '../../output/style.ts';
import { type ColumnOf, list, tableOf } from '../../output/table.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { notInStore, type OperatorStore } from '../../store/open.ts';
import { type Check, failed, good } from '../doctor/check.ts';

export const endpointArgument = ['<endpoint-id>', 'endpoint id, such as ep_k3v9x2ma'] as const;

export const endpointMissing = (endpointId: string, operating: OperatorStore): CliError =>
  notInStore(operating, `webhook ${endpointId}`, 'WEBHOOK_NOT_FOUND', 'webhooks list');

/** Finds a webhook, or throws an error that explains how to list webhooks. */
export async function findEndpoint(endpointId: string, operating: OperatorStore): Promise<WebhookEndpoint> {
  const all = await operating.store.listWebhookEndpoints();
  const endpoint = all.find((listed) => listed.endpointId === endpointId);
  if (endpoint) return endpoint;
  throw endpointMissing(endpointId, operating);
}

/** Converts a webhook for `--json`, without its secrets. An operator's webhook has no `account_id`. */
export const endpointDocument = (endpoint: WebhookEndpoint, pending: number) => ({
  endpoint_id: endpoint.endpointId,
  account_id: endpoint.accountId,
  url: endpoint.url,
  events: endpoint.types,
  description: endpoint.description,
  enabled: endpoint.disabled === null,
  disabled_reason: endpoint.disabled,
  pending,
  failing_since: isoTimeOrNull(endpoint.failingSince),
  previous_secret_until: isoTimeOrNull(endpoint.previousUntil),
  created_at: isoTime(endpoint.createdAt),
});

const reasons: Record<NonNullable<WebhookEndpoint['disabled']>, string> = {
  operator: 'disabled',
  gone: 'disabled: it responded 410 Gone',
  failing: 'disabled: nothing arrived for five days',
};

/** Describes the webhook's state in a word or a sentence. */
export const stateOf = ({ disabled, failingSince }: WebhookEndpoint): string => {
  if (disabled !== null) return reasons[disabled];
  return failingSince === null ? 'enabled' : 'failing';
};

export function stateStyle(state: string): Style | undefined {
  if (state === 'enabled') return 'good';
  return state === reasons.operator ? 'quiet' : 'bad';
}

export const eventWords = ({ types }: WebhookEndpoint): string =>
  types.length === eventTypes.length ? 'all' : types.join(', ');

export const accountWords = ({ accountId }: WebhookEndpoint): string =>
  accountId ?? 'all accounts, and events of the shop';

export const endpointScreen = (endpoint: WebhookEndpoint, pending: number, style: OutputStyle): string => {
  const { failingSince, previousUntil } = endpoint;
  const state = stateOf(endpoint);
  return list(
    [
      ['Webhook', endpoint.endpointId],
      ['URL', endpoint.url],
      ['Account', accountWords(endpoint)],
      ['Events', eventWords(endpoint)],
      ['About', endpoint.description],
      ['State', state, stateStyle(state)],
      ['Failing', failingSince === null ? null : `since ${readableTime(failingSince)}`],
      ['Waiting', pending === 0 ? null : String(pending)],
      [
        'Secrets',
        previousUntil !== null && previousUntil > Date.now()
          ? `two; the previous one signs until ${readableTime(previousUntil)}`
          : null,
      ],
      ['Created', readableTime(endpoint.createdAt)],
    ],
    style,
  );
};

/** Webhook with its number of pending events. */
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

export const listWebhooks = defineStoreCommand({
  name: 'list',
  description: 'List the endpoints, oldest first',
  build: (command) => command.option('--account <account>', 'only those of this account', filled),
  example: 'webhooks list',
  async run({ store, path }, context, options) {
    const pending = await store.countPendingWebhooks();
    const webhooks = (await store.listWebhookEndpoints())
      .filter(({ accountId }) => options.account === undefined || accountId === options.account)
      .map((endpoint) => ({ endpoint, pending: pending.get(endpoint.endpointId) ?? 0 }));
    await context.print({
      document: { webhooks: webhooks.map((webhook) => endpointDocument(webhook.endpoint, webhook.pending)) },
      ids: webhooks.map(({ endpoint }) => endpoint.endpointId),
      screen: (style) => tableOf(columns, webhooks, style),
    });
    if (webhooks.length === 0) context.remark(`No such webhooks in ${path}.`);
  },
});

export const showWebhook = defineStoreCommand({
  name: 'show',
  description: 'Show an endpoint, and how many events are still to be sent to it',
  build: (command) => command.argument(...endpointArgument),
  example: 'webhooks show ep_k3v9x2ma',
  async run(operating, context, _options, endpointId) {
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
        `\nTo send events to it again:\n  ${commandLine(`webhooks edit ${endpointId} --enable`)}`,
      );
    if (endpoint.failingSince !== null)
      context.remark(
        `\nTo see its responses:\n  ${commandLine(`webhooks deliveries --endpoint ${endpointId} --attempts`)}`,
      );
  },
});

/** Tells whether this environment has an encryption key. */
const hasKey = ({ environment }: Io): boolean =>
  ['TOPUP_SECRET_KEY', 'TOPUP_SECRET_KEY_PREVIOUS'].some((name) =>
    [name, `${name}_FILE`].some((variable) => (environment[variable] ?? '') !== ''),
  );

/** Returns the reason why this environment's keys can't decrypt a webhook's secret; undefined without keys. */
async function secretProblem(webhooks: readonly WebhookEndpoint[], io: Io): Promise<string | undefined> {
  const { createSecretCipher } = await import('@topup-kit/server/internal');
  if (!hasKey(io)) return undefined;
  try {
    const { open } = createSecretCipher(io.environment);
    for (const { secret, endpointId } of webhooks) open(secret, endpointId);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Checks whether events arrive at a store's webhooks. There is no check if there are no webhooks. */
export async function checkWebhooks(
  { webhooks }: { webhooks: readonly WebhookEndpoint[] },
  io: Io,
): Promise<Check[]> {
  if (webhooks.length === 0) return [];
  const problem = await secretProblem(webhooks, io);
  if (problem !== undefined)
    return [
      failed(
        'webhooks',
        problem,
        'Without the key, nothing is sent to these endpoints.\nSee docs/secrets.md#secrets-of-webhooks of the repository',
      ),
    ];
  // Failing webhooks have an alert, so they are not listed here.
  const { isFailing } = await import('@topup-kit/core/engine');
  if (webhooks.some((webhook) => isFailing(webhook, Date.now()))) return [];
  const failing = webhooks.filter(({ disabled, failingSince }) => disabled === null && failingSince !== null);
  const now =
    failing.length === 0
      ? 'and none fails'
      : `of which ${failing.length} ${failing.length === 1 ? 'fails' : 'fail'} for less than an hour`;
  const isUnread = !hasKey(io) && webhooks.some(({ secret }) => !secret.startsWith('whsec_'));
  const unread = isUnread
    ? '. Their secrets are encrypted; TOPUP_SECRET_KEY is not set here, so the key was not checked'
    : '';
  return [good('webhooks', `${counted(webhooks.length, 'webhook')}, ${now}${unread}`)];
}
