import type { CheckoutAnswer } from '../../contract/index.ts';
import { Refusal } from '../../engine/index.ts';
import { jsonAnswer } from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';
import { gameDetailView, paymentMethodView } from '../views/game.ts';

/** `GET /order/{slug}` (source: live). */
export function getCheckout({ engine, urls }: Tools): OperationHandler {
  return async ({ parameters }) => {
    const view = await engine.catalog();
    const game = view.findGame(parameters.slug ?? '');
    if (!game) throw new Refusal('GAME_NOT_FOUND');
    const body: CheckoutAnswer = {
      success: true,
      game: gameDetailView(game, urls),
      paymentMethods: view.paymentMethods.map((method) => paymentMethodView(method, urls)),
    };
    return jsonAnswer(200, body);
  };
}
