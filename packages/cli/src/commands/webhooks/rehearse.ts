import type { WebhookEndpoint } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { exitCodes, QuietExit, usageError } from '../../errors/cli-error.ts';
import { isLoopback } from '../../service/connection.ts';
import type { OperatorStore } from '../../store/open.ts';
import { forward } from '../listen/forward.ts';
import { endpointDeps } from './create.ts';

/** A receiver on this machine. Events of a live shop must not be sent to any other without TLS and the checks of an endpoint. */
export function receiverUrl(text: string): string {
  const url = URL.parse(text);
  const isHttp = url !== null && /^https?:$/.test(url.protocol);
  if (isHttp && isLoopback(url) && url.username === '' && url.password === '') return url.href;
  throw usageError(
    `--to takes the URL of a receiver on this machine, such as http://127.0.0.1:3000/hooks, not ${JSON.stringify(text)}.`,
    'It is for rehearsals. Create a webhook for any other receiver.',
  );
}

/**
 * Sends a test event from this process to a receiver on this machine, signed with the webhook's own secret. Nothing is stored, and the
 * webhook keeps its URL.
 */
export async function rehearse(
  context: CommandContext,
  operating: OperatorStore,
  endpoint: WebhookEndpoint,
  url: string,
): Promise<void> {
  const { engine, deps, open } = await endpointDeps(context, operating);
  const { eventId, body } = engine.createTestEvent(deps);
  const { signal = new AbortController().signal } = context.io;
  const target = { url, secret: open(endpoint.secret, endpoint.endpointId) };
  const result = await forward({ id: eventId, ...JSON.parse(body) }, target, signal);
  const status = 'status' in result ? result.status : null;
  const problem = 'status' in result ? (result.said ?? null) : result.problem;
  const isTaken = status !== null && status >= 200 && status < 300;
  await context.print({
    document: { event_id: eventId, url, status, problem },
    ids: [eventId],
    screen: () =>
      `${eventId} ${isTaken ? 'arrived' : 'did not arrive'}: ${[status === null ? [] : `HTTP ${status}`, problem ?? []].flat().join(', ')}\n`,
  });
  if (!isTaken) throw new QuietExit(exitCodes.failure);
}
