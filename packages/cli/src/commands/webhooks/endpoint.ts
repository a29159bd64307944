import { eventTypes } from '@topup-kit/core/contract';
import type { WebhookEndpoint } from '@topup-kit/core/store';
import type { CliError } from '../../errors/cli-error.ts';
import { isoTime, isoTimeOrNull, readableTime } from '../../output/format.ts';
import type { OutputStyle, Style } from '../../output/style.ts';
import { list } from '../../output/table.ts';
import { notInStore, type OperatorStore } from '../../store/open.ts';

export const endpointArgument = ['<endpoint-id>', 'id of the webhook, such as ep_k3v9x2ma'] as const;

export const endpointMissing = (endpointId: string, operating: OperatorStore): CliError =>
  notInStore(operating, {
    what: `webhook ${endpointId}`,
    code: 'WEBHOOK_NOT_FOUND',
    listedBy: 'webhooks list',
  });

/** Finds a webhook, or throws an error that says how to list them. */
export async function findEndpoint(endpointId: string, operating: OperatorStore): Promise<WebhookEndpoint> {
  const all = await operating.store.listWebhookEndpoints();
  const endpoint = all.find((one) => one.endpointId === endpointId);
  if (endpoint) return endpoint;
  throw endpointMissing(endpointId, operating);
}

/** A webhook for `--json`; without its secrets. `account_id` is null for an operator's. */
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

/** Whether it is sent events, in a word or a sentence. */
export const stateOf = ({ disabled, failingSince }: WebhookEndpoint): string => {
  if (disabled !== null) return reasons[disabled];
  return failingSince === null ? 'enabled' : 'failing';
};

export function stateStyle(state: string): Style | undefined {
  if (state === 'enabled') return 'good';
  return state === reasons.operator ? 'quiet' : 'bad';
}

/** The events that it is sent, in words. */
export const eventWords = ({ types }: WebhookEndpoint): string =>
  types.length === eventTypes.length ? 'all' : types.join(', ');

export const accountWords = ({ accountId }: WebhookEndpoint): string =>
  accountId ?? 'all of them, and what concerns the shop';

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
