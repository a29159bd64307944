import type { GameAnswer } from '../../contract/index.ts';
import { Refusal } from '../../engine/index.ts';
import { jsonAnswer } from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';
import { gameDetailView } from '../views/game.ts';

/** `GET /games/{slug}` (path: live, body: ours). */
export function getGame({ engine, urls }: Tools): OperationHandler {
  return async ({ parameters }) => {
    const game = (await engine.catalog()).findGame(parameters.slug ?? '');
    if (!game) throw new Refusal('GAME_NOT_FOUND');
    const body: GameAnswer = { success: true, data: gameDetailView(game, urls) };
    return jsonAnswer(200, body);
  };
}
