import type { GameListAnswer } from '../../contract/index.ts';
import type { CatalogView } from '../../engine/index.ts';
import { type Answer, jsonAnswer } from '../http.ts';
import type { Tools } from '../operation.ts';
import { gameView, gameWithCategoryView } from '../views/game.ts';

/** `GET /games` (interface 4.1), made into bytes once for each catalogue in force. */
export function listGames({ engine, urls }: Tools): () => Promise<Answer> {
  const ready = new WeakMap<CatalogView, Answer>();

  function render(view: CatalogView): Answer {
    const answer: GameListAnswer = {
      success: true,
      games: view.games.map((game) => gameWithCategoryView(game, urls)),
      populerGames: view.games.filter((game) => game.populer).map((game) => gameView(game, urls)),
    };
    return jsonAnswer(200, new TextEncoder().encode(JSON.stringify(answer)));
  }

  return async () => {
    const view = await engine.catalog();
    const answer = ready.get(view) ?? render(view);
    ready.set(view, answer);
    return answer;
  };
}
