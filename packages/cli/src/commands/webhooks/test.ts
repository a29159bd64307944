import type { WebhookDelivery, WebhookEndpoint } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, QuietExit, usageError } from '../../errors/cli-error.ts';
import { stopped } from '../../input/prompts.ts';
import { withProgress } from '../../output/progress.ts';
import { isLoopback } from '../../service/connection.ts';
import { hasServer, type OperatorStore, storeOption, withOperatorStore } from '../../store/open.ts';
import { forward } from '../listen/forward.ts';
import { endpointDeps } from './create.ts';
import { attemptLine, deliveryDocument } from './deliveries.ts';
import { endpointArgument, endpointMissing, findEndpoint } from './endpoints.ts';

/** How long the outcome is waited for: what an endpoint may take, and some time to begin. In milliseconds. */
const waitMs = 20_000;
const pauseMs = 100;

interface TestEvent {
  endpointId: string;
  eventId: string;
}

async function findDelivery(
  { store }: OperatorStore,
  { endpointId, eventId }: TestEvent,
): Promise<WebhookDelivery | undefined> {
  const [delivery] = await store.listWebhookDeliveries({ endpointId, eventId, limit: 1 });
  return delivery;
}

/** The delivery when it was attempted, or as it is when the time is over. */
async function waitForAttempt(
  { io: { signal } }: CommandContext,
  operating: OperatorStore,
  event: TestEvent,
): Promise<WebhookDelivery | undefined> {
  const end = performance.now() + waitMs;
  for (;;) {
    const delivery = await findDelivery(operating, event);
    if (delivery === undefined || delivery.attempts > 0 || performance.now() > end) return delivery;
    if (signal?.aborted) throw stopped(signal);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function screenOf({ eventId, log, state }: WebhookDelivery): string {
  const last = log.at(-1);
  if (!last) return `${eventId} was not sent yet.\n`;
  return `${eventId} ${state === 'delivered' ? 'arrived' : 'did not arrive'}:\n${attemptLine(last)}`;
}

export const testWebhook = defineCommand({
  name: 'test',
  description: 'Send a test event to a webhook, and show what it responds',
  help: `The event's type is webhook.test. The running server sends it. Exits with 1 when
it did not arrive, and with 8 when nothing was sent within 20 seconds.
With --to, this command sends it, signed with the secret of the webhook, to
http://127.0.0.1:... or https://localhost..., also of a live store.`,
  build: (command) =>
    command
      .argument(...endpointArgument)
      .option('--to <url>', 'rehearse: send it from here to a receiver on this machine, not to the webhook')
      .option(...storeOption),
  example: 'webhooks test ep_k3v9x2ma',
  run: (context, options, endpointId) =>
    withOperatorStore(context, options, async (operating) => {
      const { store, commandLine } = operating;
      const endpoint = await findEndpoint(endpointId, operating);
      if (options.to !== undefined) {
        return rehearse(context, operating, endpoint, receiverUrl(options.to));
      }
      if (endpoint.disabled !== null)
        throw new CliError(`${endpointId} is disabled, so nothing is sent there.`, {
          code: 'WEBHOOK_DISABLED',
          exitCode: exitCodes.rejected,
          hint: `To enable it:\n  ${commandLine(`webhooks edit ${endpointId} --enable`)}`,
        });
      const [{ sendTestEvent }, { secureRandom }] = await Promise.all([
        import('@topup-kit/core/engine'),
        import('@topup-kit/core/platform'),
      ]);
      const isServed = await hasServer(operating);
      const eventId = await sendTestEvent({ store, random: secureRandom, realClock: Date.now }, endpoint);
      const event = { endpointId, eventId };
      const delivery = isServed
        ? await withProgress(context, 'Sending', () => waitForAttempt(context, operating, event))
        : await findDelivery(operating, event);
      // Deleted meanwhile.
      if (delivery === undefined) throw endpointMissing(endpointId, operating);
      await context.print({
        document: deliveryDocument(delivery),
        ids: [eventId],
        screen: () => screenOf(delivery),
      });
      const look = `  ${commandLine(`webhooks deliveries --event ${eventId} --attempts`)}`;
      if (!isServed)
        context.remark(`No server runs on this store: it is sent when you start one. Then:\n${look}`);
      else if (delivery.attempts === 0)
        context.remark(`The server has not sent it within 20 seconds. Later:\n${look}`);
      else if (delivery.state === 'pending') context.remark(`It is sent again by itself. Later:\n${look}`);
      if (delivery.attempts === 0) throw new QuietExit(exitCodes.unknownOutcome);
      if (delivery.state !== 'delivered') throw new QuietExit(exitCodes.failure);
    }),
});

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
