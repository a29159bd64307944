import type { RequestOptions } from '../options.ts';
import { asCall, type TopupCall } from '../sending/call.ts';
import type { Send } from '../sending/send.ts';
import type { GameAnswer, GameListAnswer } from '../types.ts';

/** The catalogue. */
export interface GamesResource {
  /**
   * Lists the games: `{ success, games, populerGames }`, each of `games` with its `category`
   * (`GET /games`, interface 4.1).
   *
   * @example
   * ```ts
   * const { games, populerGames } = await client.games.list();
   * ```
   */
  list(options?: RequestOptions): TopupCall<GameListAnswer>;

  /**
   * Reads a game with its products, priced in integer rupiah, and the fields that an order's target needs:
   * `{ success, data }` (`GET /games/{slug}`; path: live, body: ours). An unknown slug is a 404.
   *
   * @example
   * ```ts
   * const { data } = await client.games.get('mobile-legends');
   * for (const product of data.products) console.log(product.id, product.title, product.selling_price);
   * ```
   */
  get(slug: string, options?: RequestOptions): TopupCall<GameAnswer>;
}

export function createGames(send: Send): GamesResource {
  return {
    list: (options) => asCall(send({ operation: 'listGames', params: {}, options })),
    get: (slug, options) => asCall(send({ operation: 'getGame', params: { slug }, options })),
  };
}
