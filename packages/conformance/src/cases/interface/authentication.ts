import { errorSchemas } from '@topup-kit/core/schemas';
import { expectStatus, expectText, readAt } from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { type Probe, type ProbedResponse, reads, type Topic, writes } from '../../probe.ts';

const everyRoute: SpecReference = 'interface 5/Every-public-route-catalogue-order-creation';
const rejected: SpecReference = 'interface 5/When-the-header-is-missing-or';
const shape: SpecReference = 'interface 7.1/Authentication-failure';
const json: SpecReference = 'interface 4/Accept';

function expectUnauthorized(probe: Probe, response: ProbedResponse): void {
  expectStatus(response, 401, rejected);
  readAt(probe, response, { schema: errorSchemas.message, rows: () => shape });
}

const isJson = /^application\/([\w.-]+\+)?json\b/;

function expectJson(response: ProbedResponse): void {
  const type = { ...response, body: response.headers.get('Content-Type') };
  expectText(type, '', isJson, json);
}

export const authenticationCases: Topic = {
  'GET /games without a key responds with 401 and a message': reads(
    [
      rejected,
      everyRoute,
      shape,
      'interface 7.2/GET-games-401',
      'interface 4.1/Errors-401-see-section-7',
      'interface 4/Common-request-headers-for-every-endpoint',
      'interface 4/X-API-KEY',
    ],
    async (probe) => expectUnauthorized(probe, await probe.get('/games', { 'X-API-KEY': null })),
  ),
  'GET /games with a wrong key responds with 401 and a message': reads(
    [rejected, everyRoute, shape, 'interface 7.2/GET-games-401'],
    async (probe) => {
      for (const key of ['wrong', 'tk_test_000000000000000000000000000000000000'])
        expectUnauthorized(probe, await probe.get('/games', { 'X-API-KEY': key }));
    },
  ),
  'POST /order without a key or with a wrong one responds with 401 and a message': writes(
    [rejected, everyRoute, shape, 'interface 4/X-API-KEY'],
    async (probe) => {
      for (const key of [null, 'wrong'])
        expectUnauthorized(probe, await probe.order({}, { 'X-API-KEY': key }));
    },
  ),
  'the key opens nothing as a bearer token': reads(
    ['interface 5/No-other-scheme-OAuth-sessions-tokens', rejected],
    async (probe) =>
      expectUnauthorized(
        probe,
        await probe.get('/games', { 'X-API-KEY': null, Authorization: `Bearer ${probe.apiKey}` }),
      ),
  ),
  'success and error responses are JSON': reads(
    [json, 'interface 4/Common-request-headers-for-every-endpoint'],
    async ({ get }) => {
      expectJson(await get('/games'));
      expectJson(await get('/games', { 'X-API-KEY': null }));
    },
  ),
};
