import type { Verification } from '@topup-kit/server/internal';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, QuietExit } from '../../errors/cli-error.ts';
import { counted, grouped, money } from '../../output/format.ts';
import { withProgress } from '../../output/progress.ts';
import type { OutputStyle } from '../../output/style.ts';
import { list } from '../../output/table.ts';
import { printable } from '../../output/text.ts';
import { findStore, onSameStore, type SharedAddress, storeOption } from '../../store/open.ts';
import { onStoreFile } from './store-file.ts';

type Topup = (args: string) => string;

/** Maximum number of differences that are named; all are counted. */
const mostNamed = 1_000;

const verified = (context: CommandContext, address: SharedAddress) =>
  onStoreFile(context.io, { missing: 'Use another store with --store or TOPUP_STORE.' }, async () => {
    const [{ verifyStore }, { setFlagsFromString }] = await Promise.all([
      import('@topup-kit/server/internal'),
      import('node:v8'),
    ]);
    // A page becomes garbage when it has been checked. Without this flag, the heap would first grow by a third.
    setFlagsFromString('--semi-space-growth-factor=1');
    return withProgress(context, 'Verifying', (report) =>
      verifyStore(address, {
        limit: mostNamed,
        signal: context.io.signal,
        onProgress: (orders) => report(`Verifying, ${counted(orders, 'order')} so far`),
      }),
    );
  });

/** Formats one line for each difference: its description, its order, and the command that shows the order. */
export function differenceLines({ differences, found }: Verification, topup: Topup): string[] {
  const more = found - differences.length;
  return [
    ...differences.map(({ rule, orderId, sentence }) =>
      orderId === null
        ? printable(`${rule}: ${sentence}.`)
        : printable(`${orderId}, ${rule}: ${sentence}. See ${topup(`orders show ${orderId} --history`)}`),
    ),
    ...(more > 0 ? [`and ${grouped(more)} more`] : []),
  ];
}

function screen(path: string, result: Verification, topup: Topup, style: OutputStyle): string {
  const { orders, items, found } = result;
  const { received, delivered, onItsWay, owed, paidBack, toReconcile } = result.money;
  const details = list(
    [
      ['Store', path],
      ['Orders', `${grouped(orders)}, items: ${grouped(items)}`],
      ['Paid', money(received)],
      ['Delivered', money(delivered)],
      ['On its way', money(onItsWay)],
      ['Owed', money(owed), owed === 0 ? undefined : 'waiting'],
      ['Paid back', money(paidBack)],
      ['To reconcile', money(toReconcile), toReconcile === 0 ? undefined : 'waiting'],
      ['Differences', grouped(found), found === 0 ? 'good' : 'bad'],
    ],
    style,
  );
  return [details, ...differenceLines(result, topup)].join('\n');
}

/** Verifies a store after a restore, copy or upgrade, and lists the differences without failing. */
export async function verifyAfterwards(
  context: CommandContext,
  address: SharedAddress,
  topup: Topup,
): Promise<void> {
  const result = await verified(context, address).catch((error: unknown) => {
    // A failed verification is only a note, because the operation succeeded. A backup of an older version can be
    // verified if it has the newest format.
    const isOlder = error instanceof CliError && error.details.code === 'NEEDS_UPGRADE';
    const why = error instanceof Error ? error.message : String(error);
    if (!isOlder)
      context.io.stderr.write(`It was not verified: ${printable(why)} To verify it: ${topup('db verify')}\n`);
    return null;
  });
  if (result === null) return;
  if (result.found === 0) {
    context.remark(`Verified: ${counted(result.orders, 'order')}, and all records agree.`);
    return;
  }
  const lines = [
    `Warning: records of the store contradict each other in ${counted(result.found, 'place')}:`,
    ...differenceLines({ ...result, differences: result.differences.slice(0, 10) }, topup),
    `All of them: ${topup('db verify')}`,
  ];
  context.io.stderr.write(`${lines.join('\n')}\n`);
}

export const verifyDatabase = defineCommand({
  name: 'verify',
  description: 'Compare all records of a store with each other; exits with 1 when they contradict each other',
  build: (command) => command.option(...storeOption),
  help: `It checks that each state follows from the history, that each item was bought at
most once, that every payment is delivered, in delivery, owed, refunded or to
be reconciled, that reports match the orders, and that promos, keys and events
fit. It reads one snapshot and changes nothing, so servers can keep running.`,
  example: 'db verify',
  async run(context, options) {
    const { address, path } = await findStore(context, options);
    const topup = onSameStore(context, options);
    const result = await verified(context, address);
    await context.print({
      document: {
        store: path,
        orders: result.orders,
        items: result.items,
        money: {
          received: result.money.received,
          delivered: result.money.delivered,
          on_its_way: result.money.onItsWay,
          owed: result.money.owed,
          paid_back: result.money.paidBack,
          to_reconcile: result.money.toReconcile,
        },
        found: result.found,
        differences: result.differences.map(({ rule, orderId, sentence }) => ({
          rule,
          order_id: orderId,
          difference: sentence,
        })),
      },
      ids: result.differences.flatMap(({ orderId }) => orderId ?? []),
      screen: (style) => screen(path, result, topup, style),
    });
    if (result.found > 0) throw new QuietExit(exitCodes.failure);
  },
});
