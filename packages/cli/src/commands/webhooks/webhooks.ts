import { eventTypes } from '@topup-kit/core/contract';
import type { WebhookDelivery, WebhookEndpoint } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand, defineGroup } from '../../define-command.ts';
import { CliError, exitCodes, QuietExit, usageError } from '../../errors/cli-error.ts';
import { eventsOption } from '../../input/event-types.ts';
import { operatorOption } from '../../input/operator.ts';
import { confirm, dryRunOption, nothingChanged, stopped, yesOption } from '../../input/prompts.ts';
import { counted } from '../../output/format.ts';
import { withProgress } from '../../output/progress.ts';
import { isLoopback } from '../../service/connection.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { hasServer, type OperatorStore, storeOption, withOperatorStore } from '../../store/open.ts';
import { forward } from '../listen/forward.ts';
import {
  checkDescription,
  checkUrl,
  createWebhook,
  endpointDeps,
  noteWebhook,
  rotateWebhook,
  typesFor,
} from './create.ts';
import { attemptLine, deliveries, deliveryDocument, resend } from './deliveries.ts';
import {
  endpointArgument,
  endpointDocument,
  endpointMissing,
  endpointScreen,
  findEndpoint,
  listWebhooks,
  showWebhook,
} from './endpoints.ts';

const editWebhook = defineCommand({
  name: 'edit',
  description: 'Change an endpoint, or disable and enable it',
  help: `A disabled endpoint receives nothing, and the server keeps no new events for it.
Pending deliveries continue when you enable it.`,
  build: (command) =>
    command
      .argument(...endpointArgument)
      .option('--url <url>', 'new URL that receives events')
      .addOption(eventsOption('new event types, also separated by commas; all means every type', eventTypes))
      .option('--description <text>', 'your name for it')
      .option('--enable', 'send events to it again')
      .option('--disable', 'send nothing to it')
      .option(...operatorOption)
      .option(...storeOption),
  example: 'webhooks edit ep_k3v9x2ma --events order.paid,order.failed',
  async run(context, options, endpointId) {
    const { url, events, description, enable, disable } = options;
    checkDescription(description);
    if (enable && disable) throw usageError('Give --enable or --disable, not both.');
    const isEmpty = [url, events, description, enable, disable].every((value) => value === undefined);
    if (isEmpty) throw usageError('Give a change: --url, --events, --description, --enable or --disable.');
    await withOperatorStore(context, options, async (operating) => {
      const { accountId, disabled } = await findEndpoint(endpointId, operating);
      const types = events && typesFor(events, accountId);
      if (url !== undefined) await checkUrl(context, operating, url);
      const { engine, deps } = await endpointDeps(context, operating);
      const edited = await engine.editEndpoint(deps, endpointId, {
        ...(url !== undefined && { url }),
        ...(types && { types }),
        ...(description !== undefined && { description }),
        ...((enable || disable) && { enabled: enable === true }),
      });
      if ('conflict' in edited) throw endpointMissing(endpointId, operating);
      await noteWebhook(operating, 'changed', endpointId);
      const pending = (await operating.store.countPendingWebhooks()).get(endpointId) ?? 0;
      await context.print({
        document: endpointDocument(edited, pending),
        ids: [endpointId],
        screen: (style) => endpointScreen(edited, pending, style),
      });
      if (enable && disabled !== null)
        context.remark('The server stored no events for it while it was disabled, so they are not sent.');
    });
  },
});

const deleteWebhook = defineStoreCommand({
  name: 'delete',
  description: 'Delete an endpoint, and the records of its events',
  build: (command) =>
    command
      .argument(...endpointArgument)
      .option(...operatorOption)
      .option(...yesOption)
      .option(...dryRunOption),
  example: 'webhooks delete ep_k3v9x2ma',
  async run(operating, context, options, endpointId) {
    const { store } = operating;
    const endpoint = await findEndpoint(endpointId, operating);
    const pending = (await store.countPendingWebhooks()).get(endpointId) ?? 0;
    if (!options.dryRun) {
      const lost =
        pending === 0
          ? ''
          : `, and ${counted(pending, 'event')} on the way there ${pending === 1 ? 'is' : 'are'} not sent`;
      const consequence = `${endpointId} (${endpoint.url}) will be deleted for good${lost}.`;
      await confirm(context, { yes: options.yes, consequence });
      if ('conflict' in (await store.deleteWebhookEndpoint(endpointId)))
        throw endpointMissing(endpointId, operating);
      await noteWebhook(operating, 'deleted', endpointId);
    }
    await context.print({
      document: { ...endpointDocument(endpoint, pending), ...(options.dryRun && { dry_run: true }) },
      ids: [endpointId],
      screen: () => `${endpointId} ${options.dryRun ? 'would be' : 'is'} deleted.\n`,
    });
    if (options.dryRun) context.remark(nothingChanged);
  },
});

/** Maximum wait for the outcome, in milliseconds: the timeout of an endpoint and some time to start. */
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

/** Returns the delivery after its attempt, or in its state at the end of the wait. */
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

const testWebhook = defineStoreCommand({
  name: 'test',
  description: 'Send a test event to an endpoint, and show its response',
  help: `The event's type is webhook.test. The running server sends it. Exits with 1 when
it did not arrive, and with 8 when nothing was sent within 20 seconds.
With --to, this command sends it, signed with the endpoint's secret, to
http://127.0.0.1:... or https://localhost..., even if the store is live.`,
  build: (command) =>
    command
      .argument(...endpointArgument)
      .option('--to <url>', 'send it from this command to a receiver on this machine, not to the endpoint'),
  example: 'webhooks test ep_k3v9x2ma',
  async run(operating, context, options, endpointId) {
    const { store, commandLine } = operating;
    const endpoint = await findEndpoint(endpointId, operating);
    if (options.to !== undefined) {
      return rehearse(context, operating, endpoint, receiverUrl(options.to));
    }
    if (endpoint.disabled !== null)
      throw new CliError(`${endpointId} is disabled, so it receives nothing.`, {
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
    if (delivery === undefined) throw endpointMissing(endpointId, operating);
    await context.print({
      document: deliveryDocument(delivery),
      ids: [eventId],
      screen: () => screenOf(delivery),
    });
    const look = `  ${commandLine(`webhooks deliveries --event ${eventId} --attempts`)}`;
    if (!isServed) context.remark(`No server runs on this store. The next one sends it. Then:\n${look}`);
    else if (delivery.attempts === 0)
      context.remark(`The server has not sent it within 20 seconds. Later:\n${look}`);
    else if (delivery.state === 'pending')
      context.remark(`The server retries it automatically. Later:\n${look}`);
    if (delivery.attempts === 0) throw new QuietExit(exitCodes.unknownOutcome);
    if (delivery.state !== 'delivered') throw new QuietExit(exitCodes.failure);
  },
});

/** Parses the URL of a receiver on this machine. Live events must not go to another machine without TLS and the checks of endpoints. */
function receiverUrl(text: string): string {
  const url = URL.parse(text);
  const isHttp = url !== null && /^https?:$/.test(url.protocol);
  if (isHttp && isLoopback(url) && url.username === '' && url.password === '') return url.href;
  throw usageError(
    `--to takes the URL of a receiver on this machine, such as http://127.0.0.1:3000/hooks, not ${JSON.stringify(text)}.`,
    'Use it only to try a receiver. Create an endpoint for any other receiver.',
  );
}

/**
 * Sends a test event from this process to a receiver on this machine, signed with the webhook's secret. Nothing is
 * stored, and the webhook's URL stays unchanged.
 */
async function rehearse(
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

export const noun = defineGroup(
  `An endpoint is a URL that receives events, each signed with the endpoint's
secret. These commands work on the store; a running server sends, and picks up a
change within a second.`,
  [
    createWebhook,
    listWebhooks,
    showWebhook,
    editWebhook,
    rotateWebhook,
    deleteWebhook,
    testWebhook,
    deliveries,
    resend,
  ],
);
