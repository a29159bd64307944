import {
  accountFields,
  type CheckAccountResponse,
  type GetCheckoutResponse,
  type GetGameResponse,
  type ListGamesResponse,
  normaliseFields,
  promoFields,
  promoValidMessage,
  rulesIn,
  type ValidatePromoResponse,
} from '../../contract/index.ts';
import { type CatalogView, DomainError, type Engine, type ShownGame } from '../../engine/index.ts';
import {
  checkFields,
  jsonResponse,
  languageHeaders,
  type PlainResponse,
  readJsonBody,
  renderedResponse,
} from '../http.ts';
import type { OperationHandler, Tools } from '../operation.ts';
import { gameDetailView, gameView, gameWithCategoryView, paymentMethodView } from '../views/game.ts';

/** Handles `GET /games` (interface 4.1). The response is rendered once for each version of the catalogue. */
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

/** Finds a game by its slug. @throws DomainError GAME_NOT_FOUND. */
async function findGame(engine: Engine, slug = ''): Promise<{ view: CatalogView; game: ShownGame }> {
  const view = await engine.catalog();
  const game = view.gameBySlug.get(slug);
  if (!game) throw new DomainError('GAME_NOT_FOUND');
  return { view, game };
}

/** Handles `GET /games/{slug}` (path: live, body: ours). */
export function getGame({ engine, urls }: Tools): OperationHandler {
  return async ({ parameters }) => {
    const { view, game } = await findGame(engine, parameters.slug);
    const body: GetGameResponse = { success: true, data: gameDetailView(game, view, urls) };
    return jsonResponse(200, body);
  };
}

/** Handles `GET /order/{slug}` (source: live). */
export function getCheckout({ engine, urls }: Tools): OperationHandler {
  return async ({ parameters }) => {
    const { view, game } = await findGame(engine, parameters.slug);
    const body: GetCheckoutResponse = {
      success: true,
      game: gameDetailView(game, view, urls),
      paymentMethods: view.paymentMethods.map((method) => paymentMethodView(method, urls)),
    };
    return jsonResponse(200, body);
  };
}

/** Handles `POST /promo/validate` (source: live). */
export function validatePromo({ engine, settings, dialect }: Tools): OperationHandler {
  const rules = rulesIn(promoFields, dialect);
  return async ({ request, locale }) => {
    const fields = normaliseFields(rules, await readJsonBody(request, settings.limits.bodyBytes));
    const body: ValidatePromoResponse = {
      success: true,
      message: promoValidMessage[locale],
      data: await engine.validatePromo(checkFields(rules, fields, settings.limits)),
    };
    return jsonResponse(200, body, languageHeaders(locale));
  };
}

/** Handles `POST /account/check` (source: ours). */
export function checkAccount({ engine, settings, dialect }: Tools): OperationHandler {
  const rules = rulesIn(accountFields, dialect);
  return async ({ request }) => {
    const fields = normaliseFields(rules, await readJsonBody(request, settings.limits.bodyBytes));
    const account = checkFields(rules, fields, settings.limits);
    const body: CheckAccountResponse = { success: true, data: await engine.accounts.check(account) };
    return jsonResponse(200, body);
  };
}
