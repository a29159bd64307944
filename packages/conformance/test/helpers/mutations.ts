import type {
  CreateOrderResponse,
  Game,
  GameWithCategory,
  ListGamesResponse,
  Pricing,
} from '../../../core/src/contract/index.ts';

/** A request to the service and its response, which a mutation changes. */
export interface Exchange {
  method: string;
  path: string;
  status: number;
  body: object;
}

/** The fields of an error body (7.1) that mutations change. */
interface ErrorFields {
  success?: false;
  message: string;
  errors?: Record<string, unknown>;
}

export interface Mutation {
  name: string;
  /** Changes the response in place. */
  mutate: (exchange: Exchange) => void;
  /** The name of a case that must fail. */
  caughtBy: string;
}

const inList =
  (mutate: (body: ListGamesResponse, game: GameWithCategory, popular: Game) => void) =>
  ({ path, status, body }: Exchange): void => {
    if (path !== '/games' || status !== 200) return;
    const list = body as ListGamesResponse; // Safe: this is the service's response, as the first test shows.
    const [game] = list.games;
    const [popular] = list.populerGames;
    if (game && popular) mutate(list, game, popular);
  };

const inOrder =
  (mutate: (body: CreateOrderResponse, pricing: Pricing) => void) =>
  ({ status, body }: Exchange): void => {
    if (status !== 201) return;
    const created = body as CreateOrderResponse; // Safe: only this response is a 201.
    mutate(created, created.data.pricing);
  };

const onStatus =
  (status: number, mutate: (exchange: Exchange) => void) =>
  (exchange: Exchange): void => {
    if (exchange.status === status) mutate(exchange);
  };

const inError = (mutate: (body: ErrorFields) => void): Mutation['mutate'] =>
  onStatus(422, ({ body }) => mutate(body as ErrorFields)); // Safe: every 422 has one of the shapes of 7.1.

const drop = (object: object, field: string): void => void Reflect.deleteProperty(object, field);

/** Each makes the service wrong in one way. */
export const mutations: Mutation[] = [
  {
    name: 'no populerGames',
    mutate: inList((body) => drop(body, 'populerGames')),
    caughtBy: 'games: GET /games responds with 200, success, games and populerGames',
  },
  {
    name: 'a game without its category',
    mutate: inList((_body, game) => drop(game, 'category')),
    caughtBy: 'games: every game has the fields of a game, of their types',
  },
  {
    name: 'a category on a popular game',
    mutate: inList((_body, { category }, popular) => Object.assign(popular, { category })),
    caughtBy: 'games: every popular game has the fields of a game, of their types, and no category',
  },
  {
    name: 'the list wrapped in data too',
    mutate: inList((body) => Object.assign(body, { data: body.games })),
    caughtBy: 'games: the list of games has no message and no data',
  },
  {
    name: 'popular spelled in English',
    mutate: inList((body) => {
      for (const game of body.games) {
        Object.assign(game, { popular: game.populer });
        drop(game, 'populer');
      }
    }),
    caughtBy: 'games: every game has the fields of a game, of their types',
  },
  {
    name: "another category's id",
    mutate: inList((_body, game) => Object.assign(game, { category_id: 99 })),
    caughtBy: "games: every game's category has id and title, and the id is the game's category_id",
  },
  {
    name: 'an image path instead of a URL',
    mutate: inList((_body, game) => Object.assign(game, { image: '/images/a.png' })),
    caughtBy: 'games: images and banners are URLs',
  },
  {
    name: 'a popular game without populer: true',
    mutate: inList((body, _game, popular) => body.populerGames.push({ ...popular, slug: 'another' })),
    caughtBy: 'games: popular games are listed games that say so, and all of them',
  },
  {
    name: 'status as 1 and 0',
    mutate: inList((_body, game) => Object.assign(game, { status: 1 })),
    caughtBy: 'games: every game has the fields of a game, of their types',
  },
  {
    name: '200 for a created order',
    mutate: onStatus(201, (exchange) => Object.assign(exchange, { status: 200 })),
    caughtBy: 'orders: POST /order responds with 201, success, message, orderId and data',
  },
  {
    name: 'a total that is off by one',
    mutate: inOrder(({ data }) => {
      data.total_price += 1;
      data.pricing.total_price += 1;
    }),
    caughtBy: 'pricing: without fee and unique code the total is the subtotal after the promo',
  },
  {
    name: 'a total that differs from the one of pricing',
    mutate: inOrder(({ data }) => Object.assign(data, { total_price: data.total_price + 1 })),
    caughtBy: "pricing: the order's quantity and total are those of its pricing",
  },
  {
    name: 'a price as text',
    mutate: inOrder((_body, pricing) =>
      Object.assign(pricing, { unit_price_before_promo: String(pricing.unit_price_before_promo) }),
    ),
    caughtBy: 'pricing: pricing has its fields; amounts are integers',
  },
  {
    name: 'a discount for only one unit',
    mutate: inOrder((_body, pricing) => Object.assign(pricing, { promo_discount: pricing.unit_discount })),
    caughtBy: 'pricing: the amounts of an order with a promo fit each other',
  },
  {
    name: 'no code of the applied promo',
    mutate: inOrder((_body, pricing) => Object.assign(pricing, { promo_code: null })),
    caughtBy: 'pricing: pricing names the promo that was applied',
  },
  {
    name: 'orderId of another order',
    mutate: inOrder((body) => Object.assign(body, { orderId: 'INV-20260101000000-ABCDEFGH' })),
    caughtBy: 'orders: orderId is data.order_id, of the shape INV-<digits>-<8 uppercase letters>',
  },
  {
    name: 'a lower-case order id',
    mutate: inOrder((body) => {
      body.orderId = body.orderId.toLowerCase();
      body.data.order_id = body.orderId;
    }),
    caughtBy: 'orders: orderId is data.order_id, of the shape INV-<digits>-<8 uppercase letters>',
  },
  {
    name: 'the same id for every order',
    mutate: inOrder((body) => {
      body.orderId = 'INV-20260101000000-ABCDEFGH';
      body.data.order_id = body.orderId;
    }),
    caughtBy: 'orders: two orders have two ids',
  },
  {
    name: 'a quantity of 2 when the request has none',
    mutate: inOrder(({ data }) => {
      data.quantity = 2;
      data.pricing.quantity = 2;
    }),
    caughtBy: 'orders: quantity is 1 when left out',
  },
  {
    name: 'no qr_url instead of null',
    mutate: inOrder(({ data }) => drop(data, 'qr_url')),
    caughtBy: 'orders: an order has the fields of an order, of their types',
  },
  {
    name: 'an expiry without its offset',
    mutate: inOrder(({ data }) => Object.assign(data, { expired_at: '2026-03-29 10:00:00' })),
    caughtBy:
      'orders: payment data: a page, a code, a reference, a QR or null, an expiry with its UTC offset',
  },
  {
    name: 'a new order that is paid',
    mutate: inOrder(({ data }) => Object.assign(data, { payment_status: 'PAID' })),
    caughtBy: 'orders: a new order is UNPAID and Pending',
  },
  {
    name: '401 in another shape',
    mutate: onStatus(401, (exchange) => Object.assign(exchange, { body: { error: 'Unauthorized' } })),
    caughtBy: 'authentication: GET /games without a key responds with 401 and a message',
  },
  {
    name: '403 instead of 401',
    mutate: onStatus(401, (exchange) => Object.assign(exchange, { status: 403 })),
    caughtBy: 'authentication: POST /order without a key or with a wrong one responds with 401 and a message',
  },
  {
    name: 'the business shape for a validation failure',
    mutate: inError((body) => {
      drop(body, 'errors');
      body.success = false;
    }),
    caughtBy: 'validation: an empty order is a 422 with one entry for each required field',
  },
  {
    name: 'messages as text instead of a list',
    mutate: inError(({ errors = {} }) => {
      for (const [field, messages] of Object.entries(errors)) errors[field] = String(messages);
    }),
    caughtBy: 'validation: an empty order is a 422 with one entry for each required field',
  },
  {
    name: 'a summary that counts nothing',
    mutate: inError((body) => {
      body.message = body.message.replace(/ \(and .*$/, '');
    }),
    caughtBy: 'validation: the summary names the first failed field and counts the further errors',
  },
  {
    name: 'the phone field with its neutral name',
    mutate: inError(({ errors = {} }) => {
      if (!errors.whatsapp) return;
      errors.messenger_number = errors.whatsapp;
      drop(errors, 'whatsapp');
    }),
    caughtBy: 'validation: each required field is missed by its name, alone',
  },
  {
    name: 'a mismatch without success: false',
    mutate: inError((body) => drop(body, 'success')),
    caughtBy: 'rejections: a product of another game is a 422 of the business shape',
  },
  {
    name: '422 instead of 404',
    mutate: onStatus(404, (exchange) => Object.assign(exchange, { status: 422 })),
    caughtBy: 'rejections: a payment method that does not exist is a 404',
  },
  {
    name: '404 for an unknown promo code',
    mutate: onStatus(422, (exchange) => {
      if ('success' in exchange.body) exchange.status = 404;
    }),
    caughtBy: 'rejections: a promo code that does not exist is a 422',
  },
];
