import type { ReservedOrder } from '@topup-kit/core/store';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { closeRecord } from '../../input/prompts.ts';
import { isoTime, money, readableTime } from '../../output/format.ts';
import { list } from '../../output/table.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { orderMissing } from '../../store/from-engine.ts';
import { type OperatorStore, withChangeOptions } from '../../store/open.ts';

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

/** Runs a step. If the order can't be abandoned, the error names the next step. */
async function explained<Result>(
  orderId: string,
  operating: OperatorStore,
  step: () => Promise<Result>,
): Promise<Result> {
  const { AbandonError } = await import('@topup-kit/core/engine');
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof AbandonError)) throw error;
    const { found, message } = error;
    if (found.state === 'missing') throw orderMissing({ ...operating, orderId });
    const hint =
      found.state === 'placed'
        ? `To see what happened to it:\n  ${operating.commandLine(`orders show ${orderId} --history`)}`
        : `Wait until ${readableTime(found.until)}. The server asks the gateway, and stores or removes the order automatically.`;
    throw new CliError(message, { code: 'STATE_CONFLICT', exitCode: exitCodes.rejected, hint });
  }
}

function readNote({ note = '' }: { note?: string | undefined }): string {
  if (note.trim() !== '') return note.trim();
  throw usageError(
    "--note is missing: look for the order in the gateway's dashboard, and say what you found, such as --note 'not in its dashboard'.",
  );
}

export const abandon = defineStoreCommand({
  name: 'abandon',
  description: 'Give up an order if the gateway never confirmed or denied its payment',
  build: (command) =>
    withChangeOptions(
      command
        .argument('<order-id>', 'id of an order whose payment is unclear', readOrderId)
        .option('--note <text>', "how you know that it can't be paid, for its history"),
    ),
  takesIds: true,
  example: "orders abandon INV-20260329093000-ABCDEFGH --note 'not in its dashboard'",
  check: readNote,
  async run(operating, context, options, orderId) {
    const note = readNote(options);
    const { deps, commandLine } = operating;
    const { abandonOrder, abandonWords, findAbandonable } = await import('@topup-kit/core/engine');
    const order = await explained(orderId, operating, () => findAbandonable(deps, orderId));
    await closeRecord(context, options, {
      consequence: abandonWords(orderId).en,
      perform: () => explained(orderId, operating, () => abandonOrder(deps, orderId, note)),
      document: abandonedDocument(order, note),
      ids: [orderId],
      screen: () => abandonedScreen(order, note),
    });
    if (!options.dryRun)
      context.remark(
        `The order stays in the store with your note. If money still arrives for it, you find it here:\n  ${commandLine('payments list')}`,
      );
  },
});
