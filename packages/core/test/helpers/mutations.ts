import type {
  Game,
  GameListAnswer,
  GameWithCategory,
  OrderCreatedAnswer,
  Pricing,
} from '../../src/contract/index.ts';

/** One exchange with the service, and what a mutation makes of its answer. */
export interface Exchange {
  method: string;
  path: string;
  status: number;
  body: object;
}

/** The errors of 7.1, as far as they are spoiled here. */
interface Refused {
  success?: false;
  message: string;
  errors?: Record<string, unknown>;
}

export interface Mutation {
  name: string;
  /** Spoils the answer in place. */
  spoil: (exchange: Exchange) => void;
  /** A case that has to notice. */
  caught: string;
}

const inList =
  (spoil: (body: GameListAnswer, game: GameWithCategory, popular: Game) => void) =>
  ({ path, status, body }: Exchange): void => {
    if (path !== '/games' || status !== 200) return;
    const list = body as GameListAnswer; // safe: what the service answers there, as the first test shows
    const [game] = list.games;
    const [popular] = list.populerGames;
    if (game && popular) spoil(list, game, popular);
  };

const inOrder =
  (spoil: (body: OrderCreatedAnswer, pricing: Pricing) => void) =>
  ({ status, body }: Exchange): void => {
    if (status !== 201) return;
    const created = body as OrderCreatedAnswer; // safe: the only 201 there is
    spoil(created, created.data.pricing);
  };

const onStatus =
  (status: number, spoil: (exchange: Exchange) => void) =>
  (exchange: Exchange): void => {
    if (exchange.status === status) spoil(exchange);
  };

const inRefusal = (spoil: (body: Refused) => void): Mutation['spoil'] =>
  onStatus(422, ({ body }) => spoil(body as Refused)); // safe: every 422 has one of the shapes of 7.1

const drop = (thing: object, field: string): void => void Reflect.deleteProperty(thing, field);

/** Services that are wrong in one way each. */
export const mutations: Mutation[] = [
  {
    name: 'no populerGames',
    spoil: inList((body) => drop(body, 'populerGames')),
    caught: 'games: GET /games answers 200 with success, games and populerGames',
  },
  {
    name: 'a game without its category',
    spoil: inList((_body, game) => drop(game, 'category')),
    caught: 'games: every game has the fields of a game, of their types',
  },
  {
    name: 'a category on a popular game',
    spoil: inList((_body, { category }, popular) => Object.assign(popular, { category })),
    caught: 'games: every popular game has the fields of a game, of their types, and no category',
  },
  {
    name: 'the list wrapped in data too',
    spoil: inList((body) => Object.assign(body, { data: body.games })),
    caught: 'games: the list of games has no message and no data',
  },
  {
    name: 'popular spelled in English',
    spoil: inList((body) => {
      for (const game of body.games) {
        Object.assign(game, { popular: game.populer });
        drop(game, 'populer');
      }
    }),
    caught: 'games: every game has the fields of a game, of their types',
  },
  {
    name: "another category's id",
    spoil: inList((_body, game) => Object.assign(game, { category_id: 99 })),
    caught: "games: every game's category has id and title, and the id is the game's category_id",
  },
  {
    name: 'an image path instead of a URL',
    spoil: inList((_body, game) => Object.assign(game, { image: '/images/a.png' })),
    caught: 'games: images and banners are URLs',
  },
  {
    name: 'a popular game that does not say so',
    spoil: inList((body, _game, popular) => body.populerGames.push({ ...popular, slug: 'another' })),
    caught: 'games: popular games are listed games that say so, and all of them',
  },
  {
    name: 'status as 1 and 0',
    spoil: inList((_body, game) => Object.assign(game, { status: 1 })),
    caught: 'games: every game has the fields of a game, of their types',
  },
  {
    name: '200 for a created order',
    spoil: onStatus(201, (exchange) => Object.assign(exchange, { status: 200 })),
    caught: 'orders: POST /order answers 201 with success, message, orderId and data',
  },
  {
    name: 'a total that is off by one',
    spoil: inOrder(({ data }) => {
      data.total_price += 1;
      data.pricing.total_price += 1;
    }),
    caught: 'pricing: without fee and unique code the total is the subtotal after the promo',
  },
  {
    name: "a total that isn't the pricing's",
    spoil: inOrder(({ data }) => Object.assign(data, { total_price: data.total_price + 1 })),
    caught: "pricing: the order's quantity and total are those of its pricing",
  },
  {
    name: 'a price as text',
    spoil: inOrder((_body, pricing) =>
      Object.assign(pricing, { unit_price_before_promo: String(pricing.unit_price_before_promo) }),
    ),
    caught: 'pricing: pricing has its fields; amounts are integers',
  },
  {
    name: 'a discount for one unit alone',
    spoil: inOrder((_body, pricing) => Object.assign(pricing, { promo_discount: pricing.unit_discount })),
    caught: 'pricing: the amounts of an order with a promo fit each other',
  },
  {
    name: 'the applied promo not named',
    spoil: inOrder((_body, pricing) => Object.assign(pricing, { promo_code: null })),
    caught: 'pricing: pricing names the promo that was applied',
  },
  {
    name: 'orderId of another order',
    spoil: inOrder((body) => Object.assign(body, { orderId: 'INV-20260101000000-ABCDEFGH' })),
    caught: 'orders: orderId is data.order_id, of the shape INV-<digits>-<8 uppercase letters>',
  },
  {
    name: 'a lower-case order id',
    spoil: inOrder((body) => {
      body.orderId = body.orderId.toLowerCase();
      body.data.order_id = body.orderId;
    }),
    caught: 'orders: orderId is data.order_id, of the shape INV-<digits>-<8 uppercase letters>',
  },
  {
    name: 'the same order id for everyone',
    spoil: inOrder((body) => {
      body.orderId = 'INV-20260101000000-ABCDEFGH';
      body.data.order_id = body.orderId;
    }),
    caught: 'orders: two orders have two ids',
  },
  {
    name: 'a quantity of 2 when none was asked for',
    spoil: inOrder(({ data }) => {
      data.quantity = 2;
      data.pricing.quantity = 2;
    }),
    caught: 'orders: quantity is 1 when left out',
  },
  {
    name: 'no qr_url instead of null',
    spoil: inOrder(({ data }) => drop(data, 'qr_url')),
    caught: 'orders: an order has the fields of an order, of their types',
  },
  {
    name: 'an expiry without its offset',
    spoil: inOrder(({ data }) => Object.assign(data, { expired_at: '2026-03-29 10:00:00' })),
    caught: 'orders: payment data: a page, a code, a reference, a QR or null, an expiry with its UTC offset',
  },
  {
    name: 'a new order that is paid',
    spoil: inOrder(({ data }) => Object.assign(data, { payment_status: 'PAID' })),
    caught: 'orders: a new order is UNPAID and Pending',
  },
  {
    name: '401 in another shape',
    spoil: onStatus(401, (exchange) => Object.assign(exchange, { body: { error: 'Unauthorized' } })),
    caught: 'authentication: GET /games without a key answers 401 with a message',
  },
  {
    name: '403 instead of 401',
    spoil: onStatus(401, (exchange) => Object.assign(exchange, { status: 403 })),
    caught: 'authentication: POST /order without a key or with a wrong one answers 401 with a message',
  },
  {
    name: 'the business shape for a validation failure',
    spoil: inRefusal((body) => {
      drop(body, 'errors');
      body.success = false;
    }),
    caught: 'validation: an empty order is a 422 with one entry for each required field',
  },
  {
    name: 'messages as text instead of a list',
    spoil: inRefusal(({ errors = {} }) => {
      for (const [field, messages] of Object.entries(errors)) errors[field] = String(messages);
    }),
    caught: 'validation: an empty order is a 422 with one entry for each required field',
  },
  {
    name: 'a summary that counts nothing',
    spoil: inRefusal((body) => {
      body.message = body.message.replace(/ \(and .*$/, '');
    }),
    caught: 'validation: the summary names the first failed field and counts the further errors',
  },
  {
    name: 'the phone field by its neutral name',
    spoil: inRefusal(({ errors = {} }) => {
      if (!errors.whatsapp) return;
      errors.messenger_number = errors.whatsapp;
      drop(errors, 'whatsapp');
    }),
    caught: 'validation: each required field is missed by its name, alone',
  },
  {
    name: 'a mismatch without success: false',
    spoil: inRefusal((body) => drop(body, 'success')),
    caught: 'refusals: a product of another game is a 422 of the business shape',
  },
  {
    name: '422 instead of 404',
    spoil: onStatus(404, (exchange) => Object.assign(exchange, { status: 422 })),
    caught: 'refusals: a payment method that does not exist is a 404',
  },
  {
    name: '404 for a promo code of nothing',
    spoil: onStatus(422, (exchange) => {
      if ('success' in exchange.body) exchange.status = 404;
    }),
    caught: 'refusals: a promo code that does not exist is a 422',
  },
];
