import type { CommandContext } from '../../context.ts';
import { CliError, exitCodes, QuietExit } from '../../errors/cli-error.ts';
import { confirm, nothingChanged } from '../../input/prompts.ts';
import { counted } from '../../output/format.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { noteActivity, type OperatorStore, withChangeOptions } from '../../store/open.ts';
import { keptLines, phoneOption, readCustomer } from './customer.ts';

/** Creates the hash function that replaces phone numbers in the uses of promos. */
async function openHash({ io }: CommandContext, { store }: OperatorStore) {
  const { ConfigError, createCustomerHash, createSecretCipher } = await import('@topup-kit/server/internal');
  try {
    return await createCustomerHash(store, createSecretCipher(io.environment));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CliError(error.message, {
      code: 'OTHER_SECRET_KEY',
      exitCode: exitCodes.rejected,
      hint: "Nothing was erased. Set TOPUP_SECRET_KEY to the server's key.",
    });
  }
}

/** Empties the log of a store file, which keeps old content until it is overwritten. */
async function emptyLog({ address }: OperatorStore): Promise<boolean> {
  if (address.kind !== 'file') return true;
  return (await import('@topup-kit/server/internal')).emptyLog(address.path);
}

export const erase = defineStoreCommand({
  name: 'erase',
  description: "Erase a customer's personal data from the whole store",
  build: (command) => withChangeOptions(command.option(...phoneOption)),
  help: `The command erases player, phone number, e-mail, nickname, return address,
payment code, proofs of delivery and notes from orders, callbacks and events.
Amounts, states and idempotency keys stay, and a hash that keeps the limits of
promos. It skips unfinished orders and orders whose money is not settled, names
them, and exits with 1. You can't undo it. The same command continues an
interrupted erasure. Backups stay unchanged.`,
  example: 'customers erase --phone 081234567890 --dry-run',
  async run(operating, context, options) {
    const { store, deps, path } = operating;
    const { phone, orders, strayCallbacks } = await readCustomer(operating, options.phone);
    const erasable = orders.filter(({ kept }) => kept === null);
    const { eraseOrder, findCustomerOrders } = await import('@topup-kit/core/engine');
    const erasure = { at: deps.worldClock(), by: deps.operator };
    const erased: string[] = [];
    const isNothing = erasable.length + strayCallbacks.length === 0;
    const stray =
      strayCallbacks.length > 0 ? ` and ${counted(strayCallbacks.length, 'callback')} of no order` : '';
    const what = (count: number): string => `The personal data of ${counted(count, 'order')}${stray}`;
    let isLogEmpty = true;
    if (!options.dryRun) {
      if (!isNothing) {
        const hashCustomer = await openHash(context, operating);
        await confirm(context, {
          yes: options.yes,
          consequence: `${what(erasable.length)} will be erased from ${path}. That can't be undone.`,
        });
        for (const { order } of erasable) {
          context.io.signal?.throwIfAborted();
          if (await eraseOrder({ ...deps, hashCustomer }, order, erasure)) erased.push(order.orderId);
        }
        if (strayCallbacks.length > 0) {
          const { eraseStrayMessages } = await import('@topup-kit/server/internal');
          await eraseStrayMessages(store, strayCallbacks, erasure);
        }
        await noteActivity(store, { operator: deps.operator, action: 'customer.erased', subject: '' });
      }
      isLogEmpty = await emptyLog(operating);
    }
    // A late payment may have made another order impossible to erase.
    const left = options.dryRun ? orders : await findCustomerOrders(deps, phone);
    const lines = keptLines(left);
    const done = (await store.listErasures()).find(({ at, by }) => at === erasure.at && by === erasure.by);
    const wouldErase = erasable.map(({ order }) => order.orderId);
    await context.print({
      document: {
        ...(options.dryRun && { dry_run: true, would_erase: wouldErase }),
        erased,
        callbacks: done?.callbacks ?? 0,
        events: done?.events ?? 0,
        callbacks_of_no_order: strayCallbacks,
        kept: left.flatMap(({ order, kept }) =>
          kept === null ? [] : [{ order_id: order.orderId, because: kept }],
        ),
      },
      ids: options.dryRun ? wouldErase : erased,
      screen() {
        if (isNothing) return `${path} has no data of ${phone} to erase.\n`;
        return options.dryRun
          ? `${what(erasable.length)} would be erased.\n`
          : `${what(erased.length)} was erased.\n`;
      },
    });
    if (options.dryRun) context.remark(nothingChanged);
    if (!isLogEmpty)
      context.remark(
        "Another process is reading the store's log, so the log may still contain the erased data. Run the same command again later to empty the log.",
      );
    if (lines.length === 0) return;
    context.io.stderr.write(
      `${counted(lines.length, 'order')} can't be erased yet. Run the command again later.\n${lines.join('\n')}\n`,
    );
    throw new QuietExit(exitCodes.failure);
  },
});
