import { Argument, Option } from '@commander-js/extra-typings';
import {
  type Fields,
  failureReasons,
  type GetPaymentStatusResponse,
  messagesByField,
  orderEventTypes,
} from '@topup-kit/core/contract';
import { DomainError } from '@topup-kit/core/engine';
import { checkReason, controls as descriptions, readControlInput } from '@topup-kit/core/features/sandbox';
import { InvalidArgumentError } from 'commander';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { statusStyle } from '../../output/style.ts';
import { factList } from '../../output/table.ts';
import { connect } from '../../service/client.ts';
import { askWorld, type Controls, connectSandbox } from './controls.ts';
import { stateFields } from './sandbox.ts';

type OrderState = GetPaymentStatusResponse['data'];

/** Connects to a sandbox, and rejects a live service. */
async function connectToSandbox(context: CommandContext): Promise<Controls> {
  const controls = await connectSandbox(context);
  await askWorld(controls, '').catch((error: unknown) => {
    if (!(error instanceof CliError) || error.details.code !== 'NO_SANDBOX') throw error;
    throw new CliError(`Nothing was triggered: ${error.message}`, error.details);
  });
  return controls;
}

/** Adds a field such as `product=901` to the fields so far. */
function addField(text: string, before: Fields = {}): Fields {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Give a field and its value, such as quantity=3.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Checks the input before a request is sent. The control's description contains the fields and rules of an order. */
function checkInput(input: Fields & Parameters<typeof checkReason>[0]): Fields {
  try {
    checkReason(input);
    const { trigger: described } = descriptions;
    return described ? readControlInput(described, input) : input;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw usageError(
      Object.values(messagesByField(error.fields ?? {}, 'en'))
        .flat()
        .join(' '),
    );
  }
}

const noProduct = (controls: Controls): CliError =>
  new CliError('This sandbox has no open product to order.', {
    code: 'NO_PRODUCT',
    exitCode: exitCodes.failure,
    hint: `These are its games:\n  ${controls.commandLine('games list')}`,
  });

/** Explains why an event is impossible for an existing order. */
async function conflict(context: CommandContext, type: string, orderId: string): Promise<CliError> {
  const service = await connect({ ...context, remark: () => {} });
  const { data } = await service.ask((client, options) => client.invoices.paymentStatus(orderId, options));
  return new CliError(
    `${type} can't happen to ${orderId}, which is ${data.payment_status} / ${data.buy_status}.`,
    {
      code: 'STATE_CONFLICT',
      exitCode: exitCodes.rejected,
      hint: 'Without --order, the command places a new order.',
    },
  );
}

export const noun = defineCommand({
  build: (command) =>
    command
      .addArgument(new Argument('<event>', 'event to trigger').choices(orderEventTypes))
      .option('--order <order-id>', 'id of the order; default: a new order', readOrderId)
      .addOption(
        new Option('--set <field=value>', 'a field of the new order; can be repeated').argParser(addField),
      )
      .addOption(
        new Option(
          '--reason <reason>',
          'why the delivery fails, for order.failed and order.refunded',
        ).choices(failureReasons),
      ),
  help: `This changes the sandbox: an order for the first open product is placed, paid,
delivered and so on, as if the customer, the gateway and the supplier had acted.
Earlier events of the order happen too. Webhooks are sent, and \`topup listen\`
prints them.
--set sets any field of \`POST /order\`; product, method and account are short for
product_id, payment_method_id and id.`,
  example: 'trigger order.failed --set product=901 --set quantity=3 --reason region_mismatch',
  async run(context, { order, set, reason }, type) {
    if (order !== undefined && type === 'order.created')
      throw usageError(`${type} needs a new order, so --order does not apply.`);
    const input = checkInput({
      ...set,
      event: type,
      ...(order !== undefined && { order }),
      ...(reason !== undefined && { reason }),
    });
    const controls = await connectToSandbox(context);
    const data = await controls.ask('/trigger', stateFields, input).catch(async (error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      const { code, exitCode } = error.details;
      if (order !== undefined && code === 'STATE_CONFLICT') throw await conflict(context, type, order);
      const isRejected = exitCode === exitCodes.rejected || exitCode === exitCodes.notFound;
      throw order === undefined && set === undefined && reason === undefined && isRejected
        ? noProduct(controls)
        : error;
    });
    const state = data as OrderState; // Safe: the value was fitted to these fields.
    await context.print({
      document: { event: type, ...state },
      ids: [state.order_id],
      screen: factList([
        ['Event', type],
        ['Order', state.order_id],
        ['Payment', state.payment_status, statusStyle(state.payment_status)],
        ['Delivery', state.buy_status, statusStyle(state.buy_status)],
      ]),
    });
  },
});
