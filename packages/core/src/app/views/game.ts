import {
  type Game,
  type GameDetail,
  type GameWithCategory,
  type PaymentMethod,
  type Product,
  paymentKinds,
} from '../../contract/index.ts';
import type { CatalogView, ShownGame } from '../../engine/index.ts';
import type { CatalogPaymentMethod, CatalogProduct } from '../../store/index.ts';
import type { Urls } from '../urls.ts';

/** Renders a game by interface 2.1, without `category`. */
export const gameView = (game: ShownGame, urls: Urls): Game => ({
  id: game.id,
  image: urls.gameImage(game),
  banner: urls.gameBanner(game),
  title: game.title,
  developers: game.developers,
  brand: game.brand,
  category_id: game.category_id,
  slug: game.slug,
  description: game.description,
  status: game.status,
  populer: game.populer,
  sort: game.sort,
});

/** Renders a game by interface 2.1, with `category`. */
export const gameWithCategoryView = (game: ShownGame, urls: Urls): GameWithCategory => ({
  ...gameView(game, urls),
  category: game.category,
});

/** Renders a product. An open product of the catalogue is shown as closed if the supplier lacks it, or it costs more than its price. */
const productView = (
  product: CatalogProduct,
  game: ShownGame,
  { listing }: CatalogView,
  urls: Urls,
): Product => ({
  id: product.id,
  game_id: game.id,
  code: product.code,
  title: product.title,
  brand: game.brand,
  logo: urls.gameImage(game),
  image: urls.productImage(product),
  selling_price: product.selling_price,
  promo_price: product.promo_price,
  is_promo: product.is_promo,
  category: product.category,
  status: product.status && listing.isForSale(product),
});

export const gameDetailView = (game: ShownGame, view: CatalogView, urls: Urls): GameDetail => ({
  ...gameWithCategoryView(game, urls),
  products: game.products.map((product) => productView(product, game, view, urls)),
  fields: game.fields.map(({ pattern: _pattern, ...field }) => field),
});

export const paymentMethodView = (method: CatalogPaymentMethod, urls: Urls): PaymentMethod => ({
  id: method.id,
  code: method.code,
  name: method.name,
  images: urls.paymentMethodImage(method),
  group: method.group,
  type: paymentKinds[method.group].type,
  fee: method.fee,
  fee_percent: method.fee_basis_points / 100,
  minimum_amount: method.minimum_amount,
  maximum_amount: method.maximum_amount,
  status: method.status,
});
