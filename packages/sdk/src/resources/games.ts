import type { GetGameResponse, ListGamesResponse } from '../generated/types.ts';
import type { RequestOptions } from '../options.ts';
import { asCall, type TopupCall, type WithRequestId } from '../sending/call.ts';
import type { Send } from '../sending/send.ts';

/** The games of the catalogue. */
export interface GamesResource {
  /**
   * Lists all games: `{ success, games, populerGames }`. Each game in `games` has its `category`
   * (`GET /games`, interface 4.1).
   *
   * @example
   * ```ts
   * const { games, populerGames } = await client.games.list();
   * ```
   */
  list(options?: RequestOptions): TopupCall<WithRequestId<ListGamesResponse>>;

  /**
   * Returns a game with its products (prices in integer rupiah) and the fields of an order's target account:
   * `{ success, data }` (`GET /games/{slug}`; the path was observed on the live service, the body is defined by Topup
   * Kit). Rejects with a 404 when the slug is unknown.
   *
   * @example
   * ```ts
   * const { data } = await client.games.get('mobile-legends');
   * for (const product of data.products) console.log(product.id, product.title, product.selling_price);
   * ```
   */
  get(slug: string, options?: RequestOptions): TopupCall<WithRequestId<GetGameResponse>>;
}

export function createGames(send: Send): GamesResource {
  return {
    list: (options) => asCall(send({ operation: 'listGames', params: {}, options })),
    get: (slug, options) => asCall(send({ operation: 'getGame', params: { slug }, options })),
  };
}
