import type { WebhookDelivery } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, QuietExit } from '../../errors/cli-error.ts';
import { stopped } from '../../input/prompts.ts';
import { withProgress } from '../../output/progress.ts';
import { hasServer, type OperatorStore, storeOption, withOperatorStore } from '../../store/open.ts';
import { attemptLine, deliveryDocument } from './deliveries.ts';
import { endpointArgument, endpointMissing, findEndpoint } from './endpoint.ts';

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
        const { receiverUrl, rehearse } = await import('./rehearse.ts');
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
