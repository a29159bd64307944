import type { WebhookEndpoint } from '@topup-kit/core/store';
import { reasonOf } from '../../errors/cli-error.ts';
import type { Io } from '../../io.ts';
import { counted, readableTime } from '../../output/format.ts';
import { type Check, failed, good, warning } from './check.ts';

/** How long nothing may arrive before it is reported, in milliseconds: the retries of a restart take less. */
const failingNoticeMs = 60 * 60_000;

const named = ([first, ...more]: readonly WebhookEndpoint[]): string =>
  `${first?.endpointId ?? ''}${more.length === 0 ? '' : ` and ${counted(more.length, 'other')}`}`;

/** Why the secret of a webhook can't be read with the keys of this environment; undefined where there are none, which says nothing. */
async function secretProblem(
  webhooks: readonly WebhookEndpoint[],
  { environment }: Io,
): Promise<string | undefined> {
  const { readSecretBox } = await import('@topup-kit/server');
  const isSet = (name: string): boolean =>
    [name, `${name}_FILE`].some((variable) => (environment[variable] ?? '') !== '');
  if (!isSet('TOPUP_SECRET_KEY') && !isSet('TOPUP_SECRET_KEY_PREVIOUS')) return undefined;
  try {
    const { open } = readSecretBox(environment);
    for (const { secret, endpointId } of webhooks) open(secret, endpointId);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Whether events arrive at the webhooks of a store. No check at all where there are none. */
export async function checkWebhooks(
  webhooks: readonly WebhookEndpoint[],
  io: Io,
  topup: (args: string) => string,
): Promise<Check[]> {
  if (webhooks.length === 0) return [];
  const problem = await secretProblem(webhooks, io);
  if (problem !== undefined)
    return [
      failed(
        'webhooks',
        problem,
        'Without it, nothing is sent there.\nSee docs/secrets.md#secrets-of-webhooks',
      ),
    ];
  const stopped = webhooks.filter(({ disabled }) => disabled === 'gone' || disabled === 'failing');
  const [first] = stopped;
  if (first)
    return [
      warning(
        'webhooks',
        `${named(stopped)} ${stopped.length === 1 ? 'is' : 'are'} sent nothing any more: ${first.disabled === 'gone' ? 'it responded 410 Gone' : 'nothing arrived for five days'}`,
        `Correct the receiver, then send again what it missed; or delete it:\n${topup(`webhooks edit ${first.endpointId} --enable`)}\n${topup(`webhooks delete ${first.endpointId}`)}`,
      ),
    ];
  const since = Date.now() - failingNoticeMs;
  const failing = webhooks
    .filter(
      ({ disabled, failingSince }) => disabled === null && failingSince !== null && failingSince <= since,
    )
    .toSorted((one, other) => (one.failingSince ?? 0) - (other.failingSince ?? 0));
  const [longest] = failing;
  if (longest)
    return [
      warning(
        'webhooks',
        `nothing has arrived at ${named(failing)} since ${readableTime(longest.failingSince ?? 0)}`,
        `What it responds:\n${topup(`webhooks deliveries --endpoint ${longest.endpointId} --attempts`)}`,
      ),
    ];
  return [good('webhooks', `${counted(webhooks.length, 'webhook')}, and none has failed for an hour`)];
}
