import type { GetCheckoutResponse } from '../../contract/index.ts';
import { DomainError } from '../../engine/index.ts';
import { jsonResponse } from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';
import { gameDetailView, paymentMethodView } from '../views/game.ts';

/** `GET /order/{slug}` (source: live). */
export function getCheckout({ engine, urls }: Tools): OperationHandler {
  return async ({ parameters }) => {
    const view = await engine.catalog();
    const game = view.findGame(parameters.slug ?? '');
    if (!game) throw new DomainError('GAME_NOT_FOUND');
    const body: GetCheckoutResponse = {
      success: true,
      game: gameDetailView(game, view, urls),
      paymentMethods: view.paymentMethods.map((method) => paymentMethodView(method, urls)),
    };
    return jsonResponse(200, body);
  };
}
