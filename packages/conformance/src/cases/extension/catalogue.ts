import type { ListGamesResponse } from '@topup-kit/core/contract';
import { responseSchemas } from '@topup-kit/core/schemas';
import {
  expectAt,
  expectError,
  expectStatus,
  expectThat,
  gameClosed,
  gameNotFound,
  methodClosed,
  nonexistent,
  productClosed,
  readAt,
} from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { valueAt } from '../../json.ts';
import { type Probe, type ProbedResponse, reads, type Topic, writes } from '../../probe.ts';

const listed: SpecReference = 'open-points Routes/GET-games-lists-every-game-that';
const closed: SpecReference = 'open-points Routes/Clients-can-read-a-closed-game';
const gameRoute: SpecReference = 'open-points Routes/GET-games-slug';
const checkoutRoute: SpecReference = 'open-points Routes/GET-order-slug';
const notFound: SpecReference = 'open-points Errors/game-product-method-not-found';
const detail: SpecReference = 'interface 4.3/Invoice-detail-by-orderId-polling-of';

async function listGames(probe: Probe): Promise<{ response: ProbedResponse; list: ListGamesResponse }> {
  const response = await probe.get('/games');
  expectStatus(response, 200, 'interface 7.2/GET-games-200');
  return {
    response,
    list: readAt(probe, response, { schema: responseSchemas.listGames, rows: () => listed }),
  };
}

export const catalogueCases: Topic = {
  'games stand by sort, then by id': reads([listed], async (probe) => {
    const { response, list } = await listGames(probe);
    for (const path of ['games', 'populerGames'] as const) {
      const shown = list[path].map(({ id }) => id);
      const sorted = list[path].toSorted((a, b) => a.sort - b.sort || a.id - b.id).map(({ id }) => id);
      const holds = shown.join() === sorted.join();
      expectThat(holds, response, path, `the ids in order: ${sorted.join()}`, listed);
    }
  }),
  'a closed game is listed with status false': reads([listed, 'interface 2.1/status'], async (probe) => {
    const slug = probe.need('closedGame');
    const { response, list } = await listGames(probe);
    const holds = list.games.some((game) => game.slug === slug && !game.status);
    expectThat(holds, response, 'games', `${slug} with status false`, listed);
  }),
  'a closed game can be read by its slug': reads([closed], async (probe) => {
    const slug = probe.need('closedGame');
    for (const path of [`/games/${slug}`, `/order/${slug}`]) expectStatus(await probe.get(path), 200, closed);
  }),
  'a hidden game is not listed, and its slug is not found': reads(
    [closed, listed, notFound],
    async (probe) => {
      const slug = probe.need('hiddenGame');
      const { response, list } = await listGames(probe);
      const holds = ![...list.games, ...list.populerGames].some((game) => game.slug === slug);
      expectThat(holds, response, 'games', `no ${slug}`, listed);
      for (const path of [`/games/${slug}`, `/order/${slug}`])
        expectError(await probe.get(path), gameNotFound, closed);
    },
  ),
  'query parameters are ignored': reads(
    ['open-points Routes/The-route-ignores-query-parameters', 'interface 4.1/No-query-parameters-are-shown'],
    async (probe) => {
      const { list } = await listGames(probe);
      const response = await probe.get('/games?page=2&limit=1&populer=true&sort=-id&status=1');
      expectStatus(response, 200, 'open-points Routes/The-route-ignores-query-parameters');
      expectAt(response, '', list, 'open-points Routes/The-route-ignores-query-parameters');
    },
  ),
  'GET /games/{slug} has the listed game with its products and target fields': reads(
    [gameRoute, 'open-points Routes/Product-live-id-game_id-code-title', detail],
    async (probe) => {
      const { game: slug } = probe.fixture.order;
      const { list } = await listGames(probe);
      const response = await probe.get(`/games/${slug}`);
      expectStatus(response, 200, gameRoute);
      const { data } = readAt(probe, response, { schema: responseSchemas.getGame, rows: () => gameRoute });
      const shown = list.games.find((game) => game.slug === slug);
      for (const [field, value] of Object.entries(shown ?? {}))
        expectAt(response, `data.${field}`, value, gameRoute);
      for (const index of data.products.keys())
        expectAt(response, `data.products.${index}.game_id`, data.id, gameRoute);
    },
  ),
  'GET /order/{slug} has the same game, and the payment methods': reads(
    [
      checkoutRoute,
      'open-points Routes/Payment-method-live-id-code-name',
      'open-points Routes/Groups-QRIS-Virtual-Account-Retail-E',
    ],
    async (probe) => {
      const { game: slug } = probe.fixture.order;
      const game = await probe.get(`/games/${slug}`);
      const response = await probe.get(`/order/${slug}`);
      expectStatus(response, 200, checkoutRoute);
      readAt(probe, response, { schema: responseSchemas.getCheckout, rows: () => checkoutRoute });
      expectAt(response, 'game', valueAt(game.body, 'data'), checkoutRoute);
    },
  ),
  'a slug of nothing is not found': reads([notFound], async ({ get }) => {
    for (const path of [`/games/${nonexistent.game}`, `/order/${nonexistent.game}`])
      expectError(await get(path), gameNotFound, notFound);
  }),
  'a closed game, a hidden game, a closed product and a closed method cannot be ordered': writes(
    [
      'open-points Routes/Clients-can-order-only-active-games',
      closed,
      notFound,
      'open-points Errors/game-product-method-closed-product-out',
      'interface 4.2/game',
    ],
    async ({ order, need }) => {
      const by = 'open-points Errors/game-product-method-closed-product-out';
      expectError(await order({ game: need('closedGame') }), gameClosed, by);
      expectError(await order({ game: need('hiddenGame') }), gameNotFound, notFound);
      expectError(await order(need('closedProduct')), productClosed, by);
      expectError(await order({ payment_method_id: need('closedMethodId') }), methodClosed, by);
    },
  ),
};
