import type { WebhookEndpoint } from '@topup-kit/core/store';
import { reasonOf } from '../../errors/cli-error.ts';
import type { Io } from '../../io.ts';
import { counted } from '../../output/format.ts';
import { type Check, failed, good } from '../doctor/check.ts';

/** Whether this environment has a key of secrets. */
const hasKey = ({ environment }: Io): boolean =>
  ['TOPUP_SECRET_KEY', 'TOPUP_SECRET_KEY_PREVIOUS'].some((name) =>
    [name, `${name}_FILE`].some((variable) => (environment[variable] ?? '') !== ''),
  );

/** Why the secret of a webhook can't be read with the keys of this environment; undefined where there are none, which says nothing. */
async function secretProblem(webhooks: readonly WebhookEndpoint[], io: Io): Promise<string | undefined> {
  const { readSecretBox } = await import('@topup-kit/server');
  if (!hasKey(io)) return undefined;
  try {
    const { open } = readSecretBox(io.environment);
    for (const { secret, endpointId } of webhooks) open(secret, endpointId);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Whether events arrive at the webhooks of a store. No check at all where there are none. */
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
        'Without it, nothing is sent there.\nSee docs/secrets.md#secrets-of-webhooks of the repository',
      ),
    ];
  // Those that fail have an alert.
  const { isFailing } = await import('@topup-kit/core/engine');
  if (webhooks.some((webhook) => isFailing(webhook, Date.now()))) return [];
  const failing = webhooks.filter(({ disabled, failingSince }) => disabled === null && failingSince !== null);
  const now =
    failing.length === 0
      ? 'and none fails'
      : `of which ${failing.length} ${failing.length === 1 ? 'fails' : 'fail'} since less than an hour`;
  const isUnread = !hasKey(io) && webhooks.some(({ secret }) => !secret.startsWith('whsec_'));
  const unread = isUnread
    ? '. Their secrets are encrypted; TOPUP_SECRET_KEY is not set here, so it was not tried'
    : '';
  return [good('webhooks', `${counted(webhooks.length, 'webhook')}, ${now}${unread}`)];
}
