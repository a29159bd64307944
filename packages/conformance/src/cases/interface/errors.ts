import { errorSchemas } from '@topup-kit/core/schemas';
import { expectStatus, readAt } from '../../assertions.ts';
import { ConformanceSkip, type SpecReference } from '../../failure.ts';
import { isContainer, valueAt } from '../../json.ts';
import { type Probe, type Topic, writes } from '../../probe.ts';

const notFound: SpecReference = 'interface 7.2/POST-order-404';
const mismatch: SpecReference = 'interface 7.2/POST-order-422-product-does-not-belong-to-the';
const businessShape: SpecReference = 'interface 7.1/Business-rule-failure';
const slugNotTitle: SpecReference = 'interface 4.2/game';

async function titleOf({ get }: Probe, slug: string): Promise<string | undefined> {
  const games = valueAt((await get('/games')).body, 'games');
  const game = Array.isArray(games)
    ? games.find((game: unknown) => isContainer(game) && game.slug === slug)
    : {};
  const title = valueAt(game, 'title');
  return typeof title === 'string' ? title : undefined;
}

export const errorCases: Topic = {
  'a game that does not exist is a 404': writes(
    [notFound, slugNotTitle, 'interface 4.2/Error-statuses-404-422-500-see'],
    async ({ order }) => expectStatus(await order({ game: 'no-such-game-at-all' }), 404, notFound),
  ),
  "a game's title is not its slug: 404": writes([slugNotTitle, notFound], async (probe) => {
    const { game } = probe.fixture.order;
    const title = await titleOf(probe, game);
    if (title === undefined || title === game)
      throw new ConformanceSkip(`GET /games lists no ${game} with a title that differs from its slug`);
    expectStatus(await probe.order({ game: title }), 404, slugNotTitle);
  }),
  'a product that does not exist is a 404': writes(
    [notFound, 'interface 4.2/product_id'],
    async ({ order }) => expectStatus(await order({ product_id: 2_000_000_001 }), 404, notFound),
  ),
  'a payment method that does not exist is a 404': writes(
    [notFound, 'interface 4.2/payment_method_id'],
    async ({ order }) => expectStatus(await order({ payment_method_id: 2_000_000_001 }), 404, notFound),
  ),
  'a product of another game is a 422 of the business shape': writes(
    [
      mismatch,
      'interface 7.2/The-product-mismatch-422-body-has',
      businessShape,
      'interface 2.5/It-belongs-to-exactly-one-game',
      'interface 4.2/Error-statuses-404-422-500-see',
    ],
    async (probe) => {
      const response = await probe.order({ product_id: probe.need('otherGameProductId') });
      expectStatus(response, 422, mismatch);
      readAt(probe, response, { schema: errorSchemas.business, rows: () => businessShape });
    },
  ),
  'a promo code that does not exist is a 422': writes(
    ['interface 7.2/POST-order-422-promo-code-invalid', 'interface 4.2/promo_code'],
    async ({ order }) =>
      expectStatus(
        await order({ promo_code: 'NO-SUCH-PROMO' }),
        422,
        'interface 7.2/POST-order-422-promo-code-invalid',
      ),
  ),
};
