import type { ListGamesResponse } from '../../contract/index.ts';
import type { CatalogView } from '../../engine/index.ts';
import { type PlainResponse, renderedResponse } from '../http.ts';
import type { Tools } from '../operation.ts';
import { gameView, gameWithCategoryView } from '../views/game.ts';

/** `GET /games` (interface 4.1). The response is rendered to bytes once for each version of the catalogue. */
export function listGames({ engine, urls }: Tools): () => Promise<PlainResponse> {
  const rendered = new WeakMap<CatalogView, PlainResponse>();

  function render(view: CatalogView): PlainResponse {
    const body: ListGamesResponse = {
      success: true,
      games: view.games.map((game) => gameWithCategoryView(game, urls)),
      populerGames: view.games.filter((game) => game.populer).map((game) => gameView(game, urls)),
    };
    return renderedResponse(200, new TextEncoder().encode(JSON.stringify(body)));
  }

  return async () => {
    const view = await engine.catalog();
    const response = rendered.get(view) ?? render(view);
    rendered.set(view, response);
    return response;
  };
}
