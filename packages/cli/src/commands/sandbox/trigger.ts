import { Argument } from '@commander-js/extra-typings';
import {
  type GetPaymentStatusResponse,
  type OrderEventType,
  orderEventTypes,
} from '@topup-kit/core/contract';
import type { SandboxAction } from '@topup-kit/core/features/sandbox';
import type { CreateOrderRequest, GetCheckoutResponse, TargetField } from '@topup-kit/sdk';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { statusStyle } from '../../output/style.ts';
import { list } from '../../output/table.ts';
import { connect, type Service } from '../../service/client.ts';
import { usableMethods } from '../orders/ask.ts';
import { askWorld, type Controls, connectSandbox } from './controls.ts';
import { performAction } from './sandbox.ts';

type OrderState = GetPaymentStatusResponse['data'];

/** What makes each event happen to an order that was just placed. */
const actionsOf: Record<OrderEventType, readonly SandboxAction[]> = {
  'order.created': [],
  'order.paid': ['pay'],
  'order.processing': ['pay'],
  'order.delivered': ['pay', 'deliver'],
  'order.failed': ['pay', 'fail-delivery'],
  'order.expired': ['expire'],
  'order.refunded': ['pay', 'fail-delivery', 'refund'],
};

/** Nothing is triggered where orders are real. */
async function connectToSandbox(context: CommandContext): Promise<Controls> {
  const controls = await connectSandbox(context);
  await askWorld(controls, '').catch((error: unknown) => {
    if (!(error instanceof CliError) || error.details.code !== 'NO_SANDBOX') throw error;
    throw new CliError(`Nothing was triggered: ${error.message}`, error.details);
  });
  return controls;
}

/** The account to top up, by the fields that the game needs. */
function accountOf(fields: readonly TargetField[]): Pick<CreateOrderRequest, 'id' | 'server'> {
  const textFor = ({ options }: TargetField, otherwise: string): string => options?.[0] ?? otherwise;
  const server = fields.find(({ name, required }) => name === 'server' && required);
  const id = fields.find(({ name }) => name === 'id');
  return {
    id: id ? textFor(id, '12345678') : '12345678',
    ...(server && { server: textFor(server, '2012') }),
  };
}

/** An order of the first open product of a game; undefined if it has none that can be paid. */
export function requestFor(checkout: GetCheckoutResponse): CreateOrderRequest | undefined {
  const { slug, products, fields } = checkout.game;
  for (const product of products) {
    const method = product.status ? usableMethods(product.id, 1, checkout)[0] : undefined;
    if (method)
      return {
        ...accountOf(fields),
        game: slug,
        product_id: product.id,
        payment_method_id: method.id,
        whatsapp: '081234567890',
      };
  }
  return undefined;
}

/** Places an order of the first product that is open; returns its id. */
async function placeAny(service: Service): Promise<string> {
  const { games } = await service.ask((client, options) => client.games.list(options));
  for (const { slug, status } of games) {
    if (!status) continue;
    const request = requestFor(
      await service.ask((client, options) => client.checkout.get(slug, options), { game: slug }),
    );
    if (!request) continue;
    const { orderId } = await service.ask(
      (client, options) => client.orders.create(request, options),
      request,
    );
    return orderId;
  }
  throw new CliError('This sandbox has no open product, so nothing can be ordered.', {
    code: 'NO_PRODUCT',
    exitCode: exitCodes.failure,
    hint: `These are its games:\n  ${service.commandLine('games list')}`,
  });
}

/** How many of the actions an order in this state has behind it. */
function countDone({ payment_status, buy_status }: OrderState, actions: readonly SandboxAction[]): number {
  if (payment_status === 'UNPAID') return 0;
  const last: SandboxAction = buy_status === 'Gagal' ? 'fail-delivery' : 'pay';
  return actions.indexOf(last) + 1;
}

/** What is left to be done to an order for the event. */
function actionsLeft(type: OrderEventType, state: OrderState): readonly SandboxAction[] {
  const actions = actionsOf[type];
  const left = actions.slice(countDone(state, actions));
  if (left.length > 0) return left;
  throw new CliError(
    `${type} can't happen to ${state.order_id}, which is ${state.payment_status} / ${state.buy_status}.`,
    {
      code: 'STATE_CONFLICT',
      exitCode: exitCodes.rejected,
      hint: 'Without --order, it happens to a new order.',
    },
  );
}

const stateOf = async (service: Service, orderId: string): Promise<OrderState> =>
  (await service.ask((client, options) => client.invoices.paymentStatus(orderId, options)))
    .data as OrderState; // safe: a sandbox of this version has the states of the contract

export const trigger = defineCommand({
  build: (command) =>
    command
      .addArgument(new Argument('<event>', 'what is to happen').choices(orderEventTypes))
      .option('--order <order-id>', 'id of an order to which it happens; a new one without it', readOrderId),
  help: `It really happens: an order of the first open product is placed, paid, delivered
and so on, as by its customer, the gateway and the supplier. Events that come
before it happen too. Webhooks are sent, and \`topup listen\` prints them.`,
  example: 'trigger order.paid',
  async run(context, { order }, type) {
    if (order !== undefined && actionsOf[type].length === 0)
      throw usageError(`${type} happens to a new order, so --order does not apply.`);
    const controls = await connectToSandbox(context);
    const service = await connect({ ...context, remark: () => {} });
    const orderId = order ?? (await placeAny(service));
    let state = await stateOf(service, orderId);
    const actions = order === undefined ? actionsOf[type] : actionsLeft(type, state);
    for (const action of actions) state = await performAction(controls, action, orderId);
    await context.print({
      document: { event: type, ...state },
      ids: [orderId],
      screen: (style) =>
        list(
          [
            ['Event', type],
            ['Order', orderId],
            ['Payment', state.payment_status, statusStyle(state.payment_status)],
            ['Delivery', state.buy_status, statusStyle(state.buy_status)],
          ],
          style,
        ),
    });
  },
});
