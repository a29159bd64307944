import type { GetGameResponse } from '../../contract/index.ts';
import { DomainError } from '../../engine/index.ts';
import { jsonResponse } from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';
import { gameDetailView } from '../views/game.ts';

/** `GET /games/{slug}` (path: live, body: ours). */
export function getGame({ engine, urls }: Tools): OperationHandler {
  return async ({ parameters }) => {
    const view = await engine.catalog();
    const game = view.findGame(parameters.slug ?? '');
    if (!game) throw new DomainError('GAME_NOT_FOUND');
    const body: GetGameResponse = { success: true, data: gameDetailView(game, view, urls) };
    return jsonResponse(200, body);
  };
}
