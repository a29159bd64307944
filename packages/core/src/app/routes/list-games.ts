import type { GameListAnswer } from '../../contract/index.ts';
import type { CatalogView } from '../../engine/index.ts';
import { jsonAnswer } from '../answer.ts';
import type { OperationHandler, Tools } from '../operation.ts';
import type { Urls } from '../urls.ts';
import { gameView, gameWithCategoryView } from '../views/game.ts';

/** Makes the answer of `GET /games` (interface 4.1) into bytes once for each catalogue in force. */
export function createGameList(urls: Urls): (view: CatalogView) => Uint8Array<ArrayBuffer> {
  const ready = new WeakMap<CatalogView, Uint8Array<ArrayBuffer>>();
  return (view) => {
    const known = ready.get(view);
    if (known) return known;
    const answer: GameListAnswer = {
      success: true,
      games: view.games.map((game) => gameWithCategoryView(game, urls)),
      populerGames: view.games.filter((game) => game.populer).map((game) => gameView(game, urls)),
    };
    const bytes = new TextEncoder().encode(JSON.stringify(answer));
    ready.set(view, bytes);
    return bytes;
  };
}

/** `GET /games` (interface 4.1). */
export function listGames({ engine, gameList }: Tools): OperationHandler {
  return async () => jsonAnswer(200, gameList(await engine.catalog()));
}
