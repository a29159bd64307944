import { InvalidArgumentError } from '@commander-js/extra-typings';
import { type OrderEventType, orderEventTypes } from '@topup-kit/core/contract';
import type { OrderEvent } from '@topup-kit/sdk';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { eventsOption } from '../../input/event-types.ts';
import { styleOf } from '../../output/style.ts';
import { printable } from '../../output/text.ts';
import { connect, type Service } from '../../service/client.ts';
import { type FollowNotices, followEvents } from './follow.ts';
import { createForwarding, type Forwarded, forward, type Target } from './forward.ts';
import { type KeyLine, openKeyLine } from './keys.ts';
import { eventDocument, eventLine } from './lines.ts';
import { chooseSecret } from './secret.ts';

function receiverUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new InvalidArgumentError(
      'Give an http(s) URL without a password, such as http://127.0.0.1:3000/hooks.',
    );
  return url.href;
}

interface Options {
  events?: readonly OrderEventType[] | undefined;
  printJson?: true | undefined;
}

interface Listening {
  context: CommandContext;
  options: Options;
  target: Target | undefined;
  /** Aborts when the user stops the command or an error occurs. */
  stop: AbortController;
}

/** Prints events and notes, above the line of keys if there is one. */
interface Printer extends Disposable {
  event(event: OrderEvent, forwarded: Forwarded | undefined): Promise<void>;
  note(text: string): void;
  /** Makes the event selectable. */
  add(event: OrderEvent): void;
}

function createPrinter({ context, options, target, stop }: Listening): Printer {
  const { io, promptTerminal } = context;
  const hasKeys = promptTerminal && io.stdout.isTTY && !options.printJson;
  const above: KeyLine['above'] = (write) => keys?.above(write) ?? write();
  const printer: Omit<Printer, typeof Symbol.dispose> = {
    event: (event, forwarded) =>
      above(() =>
        context.printNext(
          options.printJson
            ? { document: event, screen: () => `${JSON.stringify(event)}\n` }
            : {
                document: eventDocument(event, forwarded),
                screen: (style) => eventLine(event, forwarded, style),
              },
        ),
      ),
    note: (text) => void above(async () => context.remark(text)),
    add: (event) => keys?.add(event),
  };
  const resend = async (event: OrderEvent, to: Target): Promise<void> => {
    const forwarded = await forward(event, to, stop.signal);
    if (!stop.signal.aborted) await printer.event(event, forwarded);
  };
  const keys: KeyLine | undefined = hasKeys
    ? openKeyLine(promptTerminal, styleOf(io, io.stdout), {
        resend:
          target && ((event) => void resend(event, target).catch((error: unknown) => stop.abort(error))),
        quit: () => stop.abort('quit'),
      })
    : undefined;
  return { ...printer, [Symbol.dispose]: () => keys?.[Symbol.dispose]() };
}

const noticesTo = ({ note }: Printer, { connection: { baseUrl } }: Service): FollowNotices => {
  const shown = printable(baseUrl);
  return {
    onStart: () => note(`Listening to ${shown}. Ctrl+C stops.`),
    onLost: ({ message }) => note(`${message} Listening continues when it responds again.`),
    onBack: () => note(`${shown} responds again.`),
    onOtherStore: () => note(`${shown} was reset or replaced, so its earlier events are not shown.`),
  };
};

async function listenTo(service: Service, listening: Listening): Promise<void> {
  const { options, target, stop } = listening;
  using printer = createPrinter(listening);
  const failed = (error: unknown): void => stop.abort(error);
  const forwarding =
    target &&
    createForwarding(target, stop.signal, {
      onAway: async ({ data }, problem) =>
        printer.note(
          `${printable(target.url)}: ${problem}. Events of ${printable(data.order.order_id)} are sent when it works again.`,
        ),
      onForwarded: (event, forwarded) => printer.event(event, forwarded).catch(failed),
    });
  for await (const events of followEvents(service, stop.signal, noticesTo(printer, service)))
    for (const event of events) {
      if (options.events && !options.events.some((type) => type === event.type)) continue;
      printer.add(event);
      if (forwarding) await forwarding.add(event);
      else await printer.event(event, undefined);
    }
  await forwarding?.end();
}

/** Creates a controller that aborts with the command. Its reason is an error if something failed. */
function stopWith(signal: AbortSignal | undefined): AbortController {
  const stop = new AbortController();
  if (signal?.aborted) stop.abort(signal.reason);
  signal?.addEventListener('abort', () => stop.abort(signal.reason), { once: true });
  return stop;
}

export const noun = defineCommand({
  build: (command) =>
    command
      .option('--forward-to <url>', 'URL that receives each event as a signed webhook', receiverUrl)
      .addOption(eventsOption('only these events, also separated by commas', orderEventTypes))
      .option('--print-json', 'print each event as a line of JSON')
      .option('--secret-file <file>', 'file with the signing secret; created if missing'),
  help: `It polls the service about once a second, so the service needs no way to reach
this machine. The events of each order arrive in sequence. If the service or the
receiver is unavailable, it waits and continues without a gap. In a terminal,
the arrow keys select an event, r resends it and q quits. --json prints
one line with the result of each event.`,
  example: 'listen --forward-to http://127.0.0.1:3000/hooks',
  /** Listens until the process should stop; stopping is not an error. */
  async run(context, { forwardTo, secretFile, ...options }) {
    if (secretFile !== undefined && forwardTo === undefined)
      throw usageError('--secret-file needs --forward-to, because only forwarded events are signed.');
    // The progress of a request would overwrite the line that lists the keys.
    const service = await connect({ ...context, globals: { ...context.globals, quiet: true } });
    const secret = forwardTo === undefined ? '' : await chooseSecret(context, secretFile);
    const target = forwardTo === undefined ? undefined : { url: forwardTo, secret };
    const stop = stopWith(context.io.signal);
    await listenTo(service, { context, options, target, stop });
    if (stop.signal.reason instanceof Error) throw stop.signal.reason;
  },
});
