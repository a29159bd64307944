import { Option } from '@commander-js/extra-typings';
import { callbackOutcomes } from '@topup-kit/core/callback';
import type { CallbackFilter, StoredCallback } from '@topup-kit/core/store';
import { defineCommand, type NewCommand, type OptionsOf } from '../../define-command.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { isoTime, timeInColumn, titleWithZone } from '../../output/format.ts';
import type { OutputStyle } from '../../output/style.ts';
import { table } from '../../output/table.ts';
import { type OperatorStore, storeOption, withOperatorStore } from '../../store/open.ts';
import { printPage } from '../../store/page.ts';
import { findCallback, outcomeStyle } from './show.ts';

/** A callback in a list: without what was sent. */
const listedDocument = (one: StoredCallback) => ({
  callback_id: one.callbackId,
  provider: one.provider,
  received_at: isoTime(one.receivedAt),
  outcome: one.outcome,
  reason: one.reason,
  order_id: one.orderId,
  attempts: one.attempts,
  replay_requested: one.replay,
});

const build = (command: NewCommand) =>
  command
    .option('--provider <name>', 'only callbacks of this gateway or supplier')
    .addOption(
      new Option('--outcome <outcome>', 'only callbacks with this outcome').choices(callbackOutcomes),
    )
    .option('--limit <number>', 'maximum number of callbacks', wholeNumber, 20)
    .option('--after <callback-id>', 'only callbacks older than this one: the next page')
    .option(...storeOption);

type Options = OptionsOf<typeof build>;

function callbacksTable(callbacks: readonly StoredCallback[], style: OutputStyle): string {
  const [newest] = callbacks;
  if (!newest) return '';
  return table(
    [
      { title: 'CALLBACK' },
      { title: titleWithZone('RECEIVED', newest.receivedAt) },
      { title: 'PROVIDER', long: true },
      { title: 'OUTCOME', style: outcomeStyle },
      { title: 'ORDER', spare: true },
      { title: 'WHY', long: true, spare: true },
    ],
    callbacks.map((callback) => [
      callback.callbackId,
      timeInColumn(callback.receivedAt),
      callback.provider,
      callback.outcome,
      callback.orderId ?? '',
      callback.reason ?? '',
    ]),
    style,
  );
}

async function readFilter(
  { provider, outcome, after }: Options,
  operating: OperatorStore,
): Promise<Omit<CallbackFilter, 'limit'>> {
  const last = after === undefined ? undefined : await findCallback(after, operating);
  return {
    ...(provider !== undefined && { provider }),
    ...(outcome !== undefined && { outcome }),
    ...(last && { after: { receivedAt: last.receivedAt, callbackId: last.callbackId } }),
  };
}

export const list = defineCommand({
  name: 'list',
  description: 'List the callbacks of gateways and suppliers, newest first',
  build,
  example: 'callbacks list --outcome failed',
  asksService: false,
  async run(context, options) {
    const { provider, outcome, limit } = options;
    await withOperatorStore(context, options, async (operating) => {
      const filter = await readFilter(options, operating);
      await printPage(context, operating, {
        noun: 'callbacks',
        limit,
        read: (most) => operating.store.listCallbacks({ ...filter, limit: most }),
        idOf: ({ callbackId }) => callbackId,
        documentOf: listedDocument,
        screen: callbacksTable,
        flags: { '--provider': provider, '--outcome': outcome },
      });
    });
  },
});
