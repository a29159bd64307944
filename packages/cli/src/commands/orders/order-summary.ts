import type { CheckoutAnswer, OrderRequest } from '@topup-kit/sdk';
import type { Service } from '../../client.ts';
import { money } from '../../output/format.ts';
import { list } from '../../output/table.ts';
import { priceOf, termsOf } from '../checkout/facts.ts';
import { ifOffered } from './if-offered.ts';
import type { OrderDraft } from './order-options.ts';

/** What a promo code does to the price of one; undefined without a code, and where the service doesn't say. */
export async function tryPromo(draft: OrderDraft, service: Service) {
  const { promo_code: code, game: game_slug, product_id, payment_method_id, whatsapp } = draft;
  if (!code?.trim() || game_slug === undefined) return undefined;
  if (product_id === undefined || payment_method_id === undefined) return undefined;
  const question = {
    ...{ code, game_slug, product_id, payment_method_id },
    ...(whatsapp !== undefined && { whatsapp }),
  };
  const answer = await ifOffered(() =>
    service.ask((client, options) => client.promos.validate(question, options)),
  );
  return answer?.data;
}

/** An order that is not placed yet, with its price as far as the service tells it before. */
export async function draftSummary(
  request: OrderRequest,
  shown: CheckoutAnswer | undefined,
  service: Service,
): Promise<string> {
  const { game, product_id, payment_method_id, id, server, quantity = 1 } = request;
  const product = shown?.game.products.find((one) => one.id === product_id);
  const method = shown?.paymentMethods.find((one) => one.id === payment_method_id);
  const promo = await tryPromo(request, service);
  const price = promo?.pricing.final_price ?? (product && priceOf(product));
  return list([
    ['Game', shown?.game.title ?? game],
    ['Product', product?.title ?? String(product_id)],
    ['Account', id + (server === undefined ? '' : ` (server ${server})`)],
    ['Nickname', request.nickname],
    ['Phone', request.whatsapp],
    ['E-mail', request.email],
    ['Promo', promo ? `${promo.promo.code}, ${money(-promo.pricing.discount)} each` : request.promo_code],
    [
      'Price',
      price === undefined ? `× ${quantity}` : `${money(price)} × ${quantity} = ${money(price * quantity)}`,
    ],
    ['Pay with', method ? `${method.name}, ${termsOf(method)[0]}` : `method ${payment_method_id}`],
  ]);
}
