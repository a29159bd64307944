import type { GetGameResponse } from '../../contract/index.ts';
import { DomainError } from '../../engine/index.ts';
import { jsonResponse } from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';
import { gameDetailView } from '../views/game.ts';

/** `GET /games/{slug}` (path: live, body: ours). */
export function getGame(tools: Tools): OperationHandler {
  return async ({ parameters }) => {
    const game = (await tools.engine.catalog()).findGame(parameters.slug ?? '');
    if (!game) throw new DomainError('GAME_NOT_FOUND');
    const body: GetGameResponse = { success: true, data: gameDetailView(game, tools) };
    return jsonResponse(200, body);
  };
}
