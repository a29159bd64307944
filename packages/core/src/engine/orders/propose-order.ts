import type { Pricing } from '../../contract/index.ts';
import type { ReservedOrder } from '../../store/index.ts';
import type { Choice } from './choose.ts';
import type { OrderCommand, PlaceOrderDependencies } from './order-command.ts';
import { createOrderId } from './order-id.ts';
import { initialState } from './order-states.ts';

/** The order that a client asks for, as it would be stored, but for its payment. */
export function proposeOrder(
  deps: Pick<PlaceOrderDependencies, 'localTime' | 'random' | 'paymentTime'>,
  { accountId, input }: OrderCommand,
  choice: Choice,
  pricing: Pricing,
  now: number,
): ReservedOrder {
  const { game, product, method } = choice;
  const orderId = createOrderId(deps.localTime(now).digits, deps.random);
  return {
    orderId,
    accountId,
    createdAt: now,
    expiresAt: now + deps.paymentTime[method.group],
    ...initialState,
    target: { id: input.id, server: input.server ?? null, nickname: input.nickname ?? null },
    contact: { email: input.email ?? null, whatsapp: input.whatsapp },
    game: {
      id: game.id,
      slug: game.slug,
      title: game.title,
      developers: game.developers,
      brand: game.brand,
      description: game.description,
      image: game.image,
      banner: game.banner,
      status: game.status,
      populer: game.populer,
    },
    product: { id: product.id, code: product.code, title: product.title, image: product.image },
    paymentMethod: { id: method.id, code: method.code, name: method.name, group: method.group },
    pricing,
    serialNumber: null,
    version: 1,
  };
}
