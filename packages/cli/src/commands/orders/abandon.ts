import type { ReservedOrder } from '@topup-kit/core/store';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { confirm, nothingChanged } from '../../input/prompts.ts';
import { isoTime, money, readableTime } from '../../output/format.ts';
import { list } from '../../output/table.ts';
import { orderMissing } from '../../store/from-engine.ts';
import { type OperatorStore, withChangeOptions, withOperatorStore } from '../../store/open.ts';

const abandonedDocument = (order: ReservedOrder, note: string) => ({
  order_id: order.orderId,
  account_id: order.accountId,
  created_at: isoTime(order.createdAt),
  payment_method: order.paymentMethod,
  total_price: order.pricing.total_price,
  target: order.target,
  contact: order.contact,
  note,
});

const abandonedScreen = (order: ReservedOrder, note: string): string =>
  list([
    ['Order', order.orderId],
    ['Created', readableTime(order.createdAt)],
    ['By', order.paymentMethod.name],
    ['Total', money(order.pricing.total_price)],
    ['WhatsApp', order.contact.whatsapp],
    ['Note', note],
  ]);

/** The order, if it can be abandoned; throws otherwise. */
async function findAbandonable(
  orderId: string,
  { deps, path, commandLine }: OperatorStore,
): Promise<ReservedOrder> {
  const { findUnclear } = await import('@topup-kit/core/engine');
  const search = await findUnclear(deps, orderId);
  if (search.state === 'unclear') return search.order;
  if (search.state === 'missing') throw orderMissing({ orderId, path, commandLine });
  const [message, hint] =
    search.state === 'placed'
      ? [
          `${orderId} can't be abandoned: it has a payment.`,
          `What happened to it:\n  ${commandLine(`orders show ${orderId} --history`)}`,
        ]
      : [
          `${orderId} can't be abandoned yet: its payment may still be being created.`,
          `Wait until ${readableTime(search.until)}. The server asks the gateway, and stores or removes the order by itself.`,
        ];
  throw new CliError(message, { code: 'STATE_CONFLICT', exitCode: exitCodes.rejected, hint });
}

export const abandon = defineCommand({
  name: 'abandon',
  description: 'Give up an order of which the gateway never said whether it has a payment',
  build: (command) =>
    withChangeOptions(
      command
        .argument('<order-id>', 'id of an order whose payment is unclear', readOrderId)
        .option('--note <text>', 'how you know that nobody can pay it, for its history'),
    ),
  example: "orders abandon INV-20260329093000-ABCDEFGH --note 'not in its dashboard'",
  async run(context, options, orderId) {
    const note = options.note?.trim() ?? '';
    if (note === '')
      throw usageError(
        "--note is missing: look for the order in the gateway's dashboard, and say what you found, such as --note 'not in its dashboard'.",
      );
    await withOperatorStore(context, options, async (operating) => {
      const order = await findAbandonable(orderId, operating);
      if (!options.dryRun) {
        const { voidOrder } = await import('@topup-kit/core/engine');
        const consequence = `${orderId} will be FAILED / Batal, and its promo code, unique code and idempotency key will be free again.`;
        await confirm(context, { yes: options.yes, consequence });
        // The server may have finished it in the meantime: this throws the matching error.
        if ('conflict' in (await voidOrder(operating.deps, orderId, note)))
          await findAbandonable(orderId, operating);
      }
      await context.print({
        document: abandonedDocument(order, note),
        ids: [orderId],
        screen: () => abandonedScreen(order, note),
      });
      context.remark(
        options.dryRun
          ? nothingChanged
          : `The order stays in the store with your note. Money that still arrives for it waits here:\n  ${operating.commandLine('payments list')}`,
      );
    });
  },
});
