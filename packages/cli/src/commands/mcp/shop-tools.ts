import { type FieldRule, orderFields } from '@topup-kit/core/contract';
import type { CreateOrderRequest, GameWithCategory } from '@topup-kit/sdk';
import * as z from 'zod';
import { suggestSlugs } from '../../service/suggest-slugs.ts';
import { defineTool } from './tool.ts';

const orderId = z.string().describe('Id of an order, such as INV-20260329093000-ABCDEFGH.');
const slug = z.string().describe('Slug of a game, such as mobile-legends.');

const gameRow = ({ slug, title, status, category }: GameWithCategory) => ({
  slug,
  title,
  category: category.title,
  open: status,
});

const listGames = defineTool({
  name: 'list_games',
  title: 'List games',
  description: "Lists the games of the sandbox (GET /games). Closed games can't be ordered.",
  input: {},
  output: {
    games: z.array(
      z.object({ slug: z.string(), title: z.string(), category: z.string(), open: z.boolean() }),
    ),
  },
  effect: 'reads',
  async run(_input, sandbox) {
    const service = await sandbox.service();
    const { games } = await service.ask((client, options) => client.games.list(options));
    return { games: games.map(gameRow) };
  },
});

const showGame = defineTool({
  name: 'show_game',
  title: 'Show a game',
  description:
    'Shows what an order of a game needs: its fields, products and payment methods with their ids (the response of GET /order/{slug}).',
  input: { slug },
  output: { game: z.looseObject({}), paymentMethods: z.array(z.looseObject({})) },
  effect: 'reads',
  async run({ slug }, sandbox) {
    const service = await sandbox.service();
    const checkout = await suggestSlugs(service, slug, () =>
      service.ask((client, options) => client.checkout.get(slug, options), { game: slug }),
    );
    return { ...checkout };
  },
});

/** Creates the schema of a field. It omits the field's rules: the service checks them, so that its errors can be seen. */
const inputOf = ({ type, description, ...rule }: FieldRule): z.ZodType => {
  const schema = type === 'integer' ? z.int() : z.string();
  return (rule.required ? schema : schema.optional()).describe(description);
};

const placeOrder = defineTool({
  name: 'place_order',
  title: 'Place an order',
  description:
    'Places an order (POST /order) and returns the response. The order is unpaid; use act_on_order to pay it. Some player ids change the outcome of the delivery; the page "sandbox" of read_docs explains them.',
  input: {
    ...Object.fromEntries(orderFields.map((field) => [field.name, inputOf(field)])),
    idempotency_key: z
      .string()
      .optional()
      .describe('The Idempotency-Key header: the same order with the same key is placed once.'),
  },
  output: { orderId: z.string(), data: z.looseObject({ payment_status: z.string() }) },
  effect: 'changes',
  async run({ idempotency_key: idempotencyKey, ...fields }, sandbox) {
    const service = await sandbox.service();
    // Safe: the schema consists of these fields.
    const order = fields as unknown as CreateOrderRequest;
    const placed = await suggestSlugs(service, order.game, () =>
      service.ask((client, options) => client.orders.create(order, { ...options, idempotencyKey }), order),
    );
    return { ...placed };
  },
});

const showOrder = defineTool({
  name: 'show_order',
  title: 'Show an order',
  description: 'Shows an order with its states, price and payment (the response of GET /invoice/{order_id}).',
  input: { order_id: orderId },
  output: { order: z.looseObject({ payment_status: z.string(), buy_status: z.string() }) },
  effect: 'reads',
  async run({ order_id }, sandbox) {
    const service = await sandbox.service();
    return { ...(await service.ask((client, options) => client.invoices.get(order_id, options))) };
  },
});

export const shopTools = [listGames, showGame, placeOrder, showOrder];
