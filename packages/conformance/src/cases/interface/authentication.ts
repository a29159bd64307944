import { errorSchemas } from '@topup-kit/core/schemas';
import { expectStatus, expectText, readAt } from '../../assertions.ts';
import type { Citation } from '../../failure.ts';
import type { Probe, ProbedResponse, Topic } from '../../probe.ts';

const everyRoute: Citation = 'interface 5/Every-public-route-catalogue-order-creation';
const rejected: Citation = 'interface 5/When-the-header-is-missing-or';
const shape: Citation = 'interface 7.1/Authentication-failure';
const json: Citation = 'interface 4/Accept';

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
  'GET /games without a key responds with 401 and a message': {
    cites: [
      rejected,
      everyRoute,
      shape,
      'interface 7.2/GET-games-401',
      'interface 4.1/Errors-401-see-section-7',
      'interface 4/Common-request-headers-for-every-endpoint',
      'interface 4/X-API-KEY',
    ],
    needs: 'reads',
    run: async (probe) => expectUnauthorized(probe, await probe.get('/games', { 'X-API-KEY': null })),
  },
  'GET /games with a wrong key responds with 401 and a message': {
    cites: [rejected, everyRoute, shape, 'interface 7.2/GET-games-401'],
    needs: 'reads',
    async run(probe) {
      for (const key of ['wrong', 'tk_test_000000000000000000000000000000000000'])
        expectUnauthorized(probe, await probe.get('/games', { 'X-API-KEY': key }));
    },
  },
  'POST /order without a key or with a wrong one responds with 401 and a message': {
    cites: [rejected, everyRoute, shape, 'interface 4/X-API-KEY'],
    async run(probe) {
      for (const key of [null, 'wrong'])
        expectUnauthorized(probe, await probe.order({}, { 'X-API-KEY': key }));
    },
  },
  'the key opens nothing as a bearer token': {
    cites: ['interface 5/No-other-scheme-OAuth-sessions-tokens', rejected],
    needs: 'reads',
    run: async (probe) =>
      expectUnauthorized(
        probe,
        await probe.get('/games', { 'X-API-KEY': null, Authorization: `Bearer ${probe.apiKey}` }),
      ),
  },
  'success and error responses are JSON': {
    cites: [json, 'interface 4/Common-request-headers-for-every-endpoint'],
    needs: 'reads',
    async run({ get }) {
      expectJson(await get('/games'));
      expectJson(await get('/games', { 'X-API-KEY': null }));
    },
  },
};
