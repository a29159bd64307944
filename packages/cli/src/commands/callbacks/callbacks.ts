import { Option } from '@commander-js/extra-typings';
import { callbackOutcomes } from '@topup-kit/core/callback';
import type { CallbackFilter, StoredCallback } from '@topup-kit/core/store';
import { defineGroup, type NewCommand, type OptionsOf } from '../../define-command.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { filled, wholeNumber } from '../../input/arguments.ts';
import { confirm, nothingChanged } from '../../input/prompts.ts';
import { isoTime, timeInColumn, titleWithZone } from '../../output/format.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { hasServer, noteActivity, type OperatorStore, withChangeOptions } from '../../store/open.ts';
import { printPage } from '../../store/page.ts';
import { callbackArgument, callbackDocument, findCallback, outcomeStyle, show } from './show.ts';

/** Converts a callback to an item of a list, without its body. */
const listedDocument = (callback: StoredCallback) => ({
  callback_id: callback.callbackId,
  provider: callback.provider,
  received_at: isoTime(callback.receivedAt),
  outcome: callback.outcome,
  reason: callback.reason,
  order_id: callback.orderId,
  attempts: callback.attempts,
  replay_requested: callback.replay,
});

const build = (command: NewCommand) =>
  command
    .option('--provider <name>', 'only callbacks of this gateway or supplier', filled)
    .addOption(
      new Option('--outcome <outcome>', 'only callbacks with this outcome').choices(callbackOutcomes),
    )
    .option('--limit <number>', 'maximum number of callbacks', wholeNumber, 20)
    .option('--cursor <callback-id>', 'only callbacks older than this id, for the next page', filled);

type Options = OptionsOf<typeof build>;

/** Returns the columns. The time columns use the zone of their first time. */
const columnsAt = (moment: number): ColumnOf<StoredCallback>[] => [
  [{ title: 'CALLBACK' }, ({ callbackId }) => callbackId],
  [{ title: titleWithZone('RECEIVED', moment) }, ({ receivedAt }) => timeInColumn(receivedAt)],
  [{ title: 'PROVIDER', long: true }, ({ provider }) => provider],
  [{ title: 'OUTCOME', style: outcomeStyle }, ({ outcome }) => outcome],
  [{ title: 'ORDER', spare: true }, ({ orderId }) => orderId ?? ''],
  [{ title: 'WHY', long: true, spare: true }, ({ reason }) => reason ?? ''],
];

async function readFilter(
  { provider, outcome, cursor }: Options,
  operating: OperatorStore,
): Promise<Omit<CallbackFilter, 'limit'>> {
  const last = cursor === undefined ? undefined : await findCallback(cursor, operating);
  return {
    ...(provider !== undefined && { provider }),
    ...(outcome !== undefined && { outcome }),
    ...(last && { after: { receivedAt: last.receivedAt, callbackId: last.callbackId } }),
  };
}

const list = defineStoreCommand({
  name: 'list',
  description: 'List the callbacks of gateways and suppliers, newest first',
  build,
  example: 'callbacks list --outcome failed',
  async run(operating, context, options) {
    const { provider, outcome, limit } = options;
    const filter = await readFilter(options, operating);
    await printPage(context, operating, {
      noun: 'callbacks',
      limit,
      read: (most) => operating.store.listCallbacks({ ...filter, limit: most }),
      idOf: ({ callbackId }) => callbackId,
      documentOf: listedDocument,
      screen: (callbacks, style) => tableOf(columnsAt(callbacks[0]?.receivedAt ?? 0), callbacks, style),
      flags: { '--provider': provider, '--outcome': outcome },
    });
  },
});

/** Describes whether a running server makes the replay. */
const whoReplays = async (operating: OperatorStore): Promise<string> =>
  (await hasServer(operating))
    ? 'The running server handles it within a second.'
    : 'No server runs on this store. The next one handles it.';

/** Rejects a callback of which the store has only a part of the body, because that part can't be verified again. @throws CliError */
function rejectCut({ callbackId, provider, body, sentBytes }: StoredCallback): void {
  if (sentBytes === null) return;
  throw new CliError(
    `Only the first ${body.length} of the ${sentBytes} bytes of ${callbackId} were stored, so the server can't verify it again.`,
    {
      code: 'CALLBACK_CUT',
      exitCode: exitCodes.rejected,
      hint: `If ${provider} sent it, send the callback again from its dashboard.`,
    },
  );
}

const replay = defineStoreCommand({
  name: 'replay',
  description: 'Handle a callback again, as if its provider had repeated it',
  build: (command) => withChangeOptions(command.argument(...callbackArgument)),
  takesIds: true,
  example: 'callbacks replay cb_k3v9x2ma',
  async run(operating, context, options, callbackId) {
    const { store, commandLine } = operating;
    const callback = await findCallback(callbackId, operating);
    rejectCut(callback);
    if (!options.dryRun) {
      const consequence = `${callbackId} will be verified and applied again, as if ${callback.provider} had sent it again.`;
      await confirm(context, { yes: options.yes, consequence });
      // A rejected callback may have been replaced by newer callbacks in the meantime; this call throws the matching error.
      if ('conflict' in (await store.requestReplay(callbackId))) await findCallback(callbackId, operating);
      const { operator } = operating.deps;
      await noteActivity(store, { operator, action: 'callback.replayed', subject: callbackId });
    }
    await context.print({
      document: callbackDocument({ ...callback, replay: true }),
      ids: [callbackId],
      screen: () => `The replay of ${callbackId} ${options.dryRun ? 'would be' : 'is'} requested.\n`,
    });
    if (options.dryRun) return context.remark(nothingChanged);
    const next = commandLine(`callbacks show ${callbackId}`);
    context.remark(`${await whoReplays(operating)} To see the result:\n  ${next}`);
  },
});

export const noun = defineGroup(
  `Gateways and suppliers report payments and deliveries with callbacks. The server
stores each callback unchanged. These commands work on the store, as an operator;
a running server handles a replay within a second.`,
  [list, show, replay],
);
