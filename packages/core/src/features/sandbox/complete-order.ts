import { type OrderInput, paymentKinds } from '../../contract/index.ts';
import type { CatalogView, ShownGame } from '../../engine/catalog/view.ts';
import { highestCode } from '../../engine/orders/place-order.ts';
import { priceOrder } from '../../engine/pricing.ts';
import type { CatalogPaymentMethod, CatalogProduct } from '../../store/index.ts';

function accepts(method: CatalogPaymentMethod, product: CatalogProduct, quantity: number): boolean {
  const { total_price } = priceOrder({ product, quantity, promo: null, method, uniqueCode: 0 });
  const most = total_price + (paymentKinds[method.group].uniqueCode ? highestCode : 0);
  return total_price >= method.minimum_amount && most <= method.maximum_amount;
}

/** Returns an account to top up, with the fields that the game needs. */
function accountIn({ fields }: ShownGame): Pick<OrderInput, 'id' | 'server'> {
  const [id, server] = (['id', 'server'] as const).map((name) => fields.find((field) => field.name === name));
  return {
    id: id?.options?.[0] ?? '12345678',
    ...(server?.required && { server: server.options?.[0] ?? '2012' }),
  };
}

/** Completes an order with default values: the first product for sale, and the first payment method that accepts its price. */
export function completeOrder(view: CatalogView, given: Partial<OrderInput>): OrderInput {
  const { product_id: productId, payment_method_id: methodId, quantity = 1 } = given;
  const productGame = productId === undefined ? undefined : view.productById.get(productId)?.game.slug;
  const slug = given.game ?? productGame;
  const games = view.games.filter((game) => (slug === undefined ? game.status : game.slug === slug));
  const isForSale = (product: CatalogProduct): boolean => {
    const { isForSale, listed } = view.listing.saleOf(product);
    return product.status && isForSale && listed?.stock !== 0;
  };
  for (const game of games)
    for (const product of game.products)
      for (const method of view.paymentMethods)
        if (
          (productId === undefined ? isForSale(product) : product.id === productId) &&
          (methodId === undefined
            ? method.status && accepts(method, product, quantity)
            : method.id === methodId)
        )
          return {
            ...accountIn(game),
            whatsapp: '081234567890',
            ...given,
            quantity,
            game: game.slug,
            product_id: product.id,
            payment_method_id: method.id,
          };
  // Placing such an order reports the errors in the given values.
  return {
    ...(games[0] ? accountIn(games[0]) : { id: '12345678' }),
    whatsapp: '081234567890',
    ...given,
    quantity,
    game: slug ?? games[0]?.slug ?? '',
    product_id: productId ?? games[0]?.products[0]?.id ?? 0,
    payment_method_id: methodId ?? view.paymentMethods.find(({ status }) => status)?.id ?? 0,
  };
}
