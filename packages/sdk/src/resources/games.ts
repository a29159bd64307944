import type { RequestOptions } from '../options.ts';
import type { Send } from '../transport.ts';
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
  list(options?: RequestOptions): Promise<GameListAnswer>;

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
  get(slug: string, options?: RequestOptions): Promise<GameAnswer>;
}

export function createGames(send: Send): GamesResource {
  return {
    list: (options) => send({ operation: 'listGames', params: {}, options }),
    get: (slug, options) => send({ operation: 'getGame', params: { slug }, options }),
  };
}
