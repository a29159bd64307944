import type * as Wire from '../../types.ts';
import { describing } from './described.ts';

const success = 'always true';

const category = describing<Wire.Category>()('interface 2.2', 'A category.', {
  id: 'category identifier',
  title: 'display name',
});

const game = describing<Wire.Game>()('interface 2.1', 'A game, as `populerGames` lists it.', {
  id: 'game identifier',
  image: "absolute URL of the game's image",
  banner: 'absolute URL of the banner image',
  title: 'display name',
  developers: 'developer name',
  brand: 'brand or short label',
  category_id: 'the category that the game is in',
  slug: 'unique text key of the game; the value that the `game` field of an order takes',
  description: 'text',
  status: 'whether the game is active; a closed one can be read but not ordered',
  populer: 'whether the game is popular (the field is spelled exactly so)',
  sort: 'sort position',
});

const gameWithCategory = describing<Wire.GameWithCategory>()(
  'interface 2.1',
  'A game with its category, as `games` lists it.',
  { ...game.fields, category: 'the category of `category_id`' },
);

const gameDetail = describing<Wire.GameDetail>()('ours', 'A game with all that a product page needs.', {
  ...gameWithCategory.fields,
  products: ['what can be bought for the game', 'ours'],
  fields: ['what the target of an order needs: the fields to show in a checkout', 'ours'],
});

const product = describing<Wire.Product>()('live', 'Something to buy for a game.', {
  id: 'product identifier; the value that `product_id` of an order takes',
  game_id: 'the game it belongs to',
  code: "the shop's code for it",
  title: 'display name',
  brand: 'brand of the game',
  logo: "absolute URL of the game's image",
  image: "absolute URL of the product's image",
  selling_price: 'unit price in the smallest unit of the currency',
  promo_price: 'unit price while `is_promo` is true, else null',
  is_promo: 'whether the product is on promotion',
  category: 'group of products that it is shown in, or null',
  status: 'whether it can be ordered',
});

const targetField = describing<Wire.TargetField>()('ours', 'A field of the account to top up.', {
  name: 'the field of an order that takes it',
  label: 'how the game calls it',
  required: 'whether the game needs it',
  options: 'the values that it takes; absent when any text will do',
});

const paymentMethod = describing<Wire.PaymentMethod>()('live', 'A way to pay.', {
  id: 'payment method identifier; the value that `payment_method_id` of an order takes',
  code: "the method's code",
  name: 'display name',
  images: "absolute URL of the method's logo",
  group: 'what kind of method it is',
  type: '`direct`: the shop shows a code to pay to; `redirect`: the customer pays on another page',
  fee: 'flat fee in the smallest unit of the currency',
  fee_percent: 'percentage fee on top of the flat one: 0.7 is 0.7 %',
  minimum_amount: 'lowest `total_price` that can be paid with it',
  maximum_amount: 'highest `total_price` that can be paid with it',
  status: 'whether it can be chosen',
});

export const catalogDescriptions = {
  Category: category,
  Game: game,
  GameWithCategory: gameWithCategory,
  GameDetail: gameDetail,
  Product: product,
  TargetField: targetField,
  PaymentMethod: paymentMethod,
  GameListAnswer: describing<Wire.GameListAnswer>()('interface 4.1', 'All games.', {
    success,
    games: 'all publicly available games, each with `category`',
    populerGames: 'the popular ones of them, without `category`',
  }),
  GameAnswer: describing<Wire.GameAnswer>()('ours', 'A game.', {
    success,
    data: 'the game with its products',
  }),
  CheckoutAnswer: describing<Wire.CheckoutAnswer>()('live', 'All that a checkout needs.', {
    success,
    game: 'the game with its products',
    paymentMethods: 'the ways to pay',
  }),
};
