import { categorySchema, gameSchema, gameWithCategorySchema, responseSchemas } from '@topup-kit/core/schemas';
import {
  expectAbsent,
  expectAt,
  expectStatus,
  expectThat,
  expectUrl,
  pathsIn,
  readAt,
  rowsOf,
} from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { valueAt } from '../../json.ts';
import { type Probe, type ProbedResponse, reads, type Topic } from '../../probe.ts';

const success: SpecReference = 'interface 7.2/GET-games-200';
const games: SpecReference = 'interface 4.1/games';
const popular: SpecReference = 'interface 4.1/populerGames';
const gameRow = rowsOf('2.1', games);
const categoryRow = rowsOf('2.2', 'interface 2.1/category');

async function listGames({ get }: Probe): Promise<ProbedResponse> {
  const response = await get('/games');
  expectStatus(response, 200, success);
  return response;
}

/** Returns the values of a field in all elements of a list. */
const column = (response: ProbedResponse, list: string, field: string): unknown[] =>
  pathsIn(response, list, success).map((path) => valueAt(response.body, `${path}.${field}`));

export const gamesCases: Topic = {
  'GET /games responds with 200, success, games and populerGames': reads(
    [
      success,
      'interface 4.1/Method-and-path-GET-base_url-games',
      'interface 4.1/Request-body-none',
      'interface 4.1/Success-HTTP-200-with-a-JSON',
      'interface 4.1/success',
      games,
      popular,
    ],
    async (probe) => {
      const response = await listGames(probe);
      expectAt(response, 'success', true, 'interface 4.1/success');
      pathsIn(response, 'games', games);
      pathsIn(response, 'populerGames', popular);
    },
  ),
  'the list of games has no message and no data': reads(
    ['interface 4.1/This-response-has-no-message-and'],
    async (probe) => {
      const response = await listGames(probe);
      for (const field of ['message', 'data'])
        expectAbsent(response, field, 'interface 4.1/This-response-has-no-message-and');
    },
  ),
  'every game has the fields of a game, of their types': reads(
    [...Object.keys(gameWithCategorySchema.shape).map(gameRow), games],
    async (probe) => {
      const response = await listGames(probe);
      for (const path of pathsIn(response, 'games', games))
        readAt(probe, response, { path, schema: gameWithCategorySchema, rows: gameRow });
    },
  ),
  'every popular game has the fields of a game, of their types, and no category': reads(
    [...Object.keys(gameWithCategorySchema.shape).map(gameRow), popular],
    async (probe) => {
      const response = await listGames(probe);
      for (const path of pathsIn(response, 'populerGames', popular)) {
        expectAbsent(response, `${path}.category`, 'interface 2.1/category');
        readAt(probe, response, { path, schema: gameSchema, rows: gameRow });
      }
    },
  ),
  "every game's category has id and title, and the id is the game's category_id": reads(
    ['interface 2.2/id', 'interface 2.2/title', 'interface 2.1/category_id', 'interface 2.1/category'],
    async (probe) => {
      const response = await listGames(probe);
      for (const path of pathsIn(response, 'games', games)) {
        const { id } = readAt(probe, response, {
          path: `${path}.category`,
          schema: categorySchema,
          rows: categoryRow,
        });
        expectAt(response, `${path}.category_id`, id, 'interface 2.1/category_id');
      }
    },
  ),
  'images and banners are URLs': reads(['interface 2.1/image', 'interface 2.1/banner'], async (probe) => {
    const response = await listGames(probe);
    for (const list of ['games', 'populerGames'])
      for (const path of pathsIn(response, list, games)) {
        expectUrl(response, `${path}.image`, 'interface 2.1/image');
        expectUrl(response, `${path}.banner`, 'interface 2.1/banner');
      }
  }),
  'ids and slugs of games are unique': reads(['interface 2.1/id', 'interface 2.1/slug'], async (probe) => {
    const response = await listGames(probe);
    for (const field of ['id', 'slug']) {
      const values = column(response, 'games', field);
      const twice = values.find((value, index) => values.indexOf(value) !== index);
      const expected = `each ${field} once, not ${JSON.stringify(twice)} twice`;
      expectThat(twice === undefined, response, 'games', expected, gameRow(field));
    }
  }),
  'popular games are listed games that say so, and all of them': reads(
    ['interface 2.1/populer', popular, games],
    async (probe) => {
      const response = await listGames(probe);
      const read = readAt(probe, response, {
        schema: responseSchemas.listGames,
        rows: rowsOf('4.1', success),
      });
      const listed = read.games.filter(({ populer }) => populer).map(({ slug }) => slug);
      const shown = read.populerGames.map(({ slug }) => slug);
      const same = listed.length === shown.length && listed.every((slug) => shown.includes(slug));
      const expected = `the games with populer true: ${listed.join(', ')}`;
      expectThat(same, response, 'populerGames', expected, popular);
    },
  ),
};
