import type { PaymentStatusAnswer } from '@topup-kit/core/contract';
import type { SandboxAction } from '@topup-kit/core/engine';
import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { statusStyle } from '../../output/style.ts';
import { list } from '../../output/table.ts';
import { shellWord } from '../../output/text.ts';
import { type Controls, connectSandbox } from './controls.ts';

/** What each does, and to which orders it can happen. */
const actions: Record<SandboxAction, { description: string; allowed: string }> = {
  pay: { description: 'Pay an order, as its customer would', allowed: 'UNPAID / Pending' },
  fail: { description: 'Let the payment of an order fail', allowed: 'UNPAID / Pending' },
  expire: { description: "Let an order's time to pay run out at once", allowed: 'UNPAID / Pending' },
  deliver: { description: 'Deliver at once what is still on its way', allowed: 'PAID / Proses' },
};

/** Says in English what the service may say in another language. */
function explained(error: unknown, action: SandboxAction, orderId: string, controls: Controls): unknown {
  if (!(error instanceof Problem)) return error;
  const { code } = error.details;
  const state = controls.commandLine(`orders show ${shellWord(orderId)}`);
  if (code === 'INVOICE_NOT_FOUND') return new Problem(`The sandbox has no order ${orderId}.`, error.details);
  if (code !== 'STATE_CONFLICT') return error;
  return new Problem(`${action} can't happen to ${orderId} as it is.`, {
    ...error.details,
    exitCode: exitCodes.rejected,
    serverMessage: error.message,
    hint: `It takes an order that is ${actions[action].allowed}. To look at this one:\n  ${state}`,
  });
}

async function act(action: SandboxAction, orderId: string, context: CommandContext): Promise<void> {
  const controls = await connectSandbox(context);
  const data = await controls
    .ask(`/orders/${encodeURIComponent(orderId)}/${action}`, {})
    .catch((error: unknown) => {
      throw explained(error, action, orderId, controls);
    });
  const state = data as PaymentStatusAnswer['data']; // safe: all that the server of this version answers there
  await context.print({
    document: state,
    ids: [state.order_id],
    screen: (look) =>
      list(
        [
          ['Order', state.order_id],
          ['Payment', state.payment_status, statusStyle(state.payment_status)],
          ['Delivery', state.buy_status, statusStyle(state.buy_status)],
        ],
        look,
      ),
  });
  if (state.buy_status === 'Proses')
    context.remark(
      `\nIt is on its way. To see it arrive:\n  ${controls.commandLine(`orders show ${shellWord(orderId)}`)}`,
    );
}

const names = ['pay', 'fail', 'expire', 'deliver'] as const satisfies SandboxAction[];

export const defineActions: Define = (sandbox, io) => {
  for (const action of names) {
    const command = sandbox
      .command(action)
      .description(actions[action].description)
      .argument('<order-id>', `id of an order that is ${actions[action].allowed}`, readOrderId)
      .action((orderId: string, _options: object, self: Command) =>
        act(action, orderId, contextOf(io, self)),
      );
    addExample(command, io, `sandbox ${action} INV-20260329093000-ABCDEFGH`);
  }
};
