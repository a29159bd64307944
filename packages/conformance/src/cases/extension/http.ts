import { type ErrorCode, errorShapes } from '@topup-kit/core/contract';
import {
  expectAt,
  expectError,
  expectHeader,
  expectStatus,
  expectThat,
  invalidField,
  readError,
} from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { readCreated } from '../../orders.ts';
import { type Probe, type ProbedResponse, reads, type Topic, writes } from '../../probe.ts';

const envelopes: SpecReference = 'open-points Errors/413-415-405-Allow-unknown-route';
const notJson: SpecReference = 'open-points Errors/body-not-JSON';
const noBody: SpecReference = 'open-points Errors/No-body-at-all-is';
const limits: SpecReference = 'open-points Limits/strings-255-characters-body-64-KiB';
const json = { 'Content-Type': 'application/json' };
const largestBody = 64 * 1024;

function expectEnvelope(probe: Probe, response: ProbedResponse, [status, code]: [number, ErrorCode]): void {
  expectStatus(response, status, envelopes);
  readError(probe, response, code, 'interface 7.1/General-error-envelope');
  if (errorShapes(response.dialect)(code) === 'envelope') {
    expectAt(response, 'error_code', code, envelopes);
    expectAt(response, 'errors', {}, envelopes);
  }
  expectHeader(response, 'X-Error-Code', code, 'open-points Errors/Every-error-has-its-code-in');
}

/** The fixture's order as JSON, padded to a length in bytes. */
const padded = ({ fixture }: Probe, length: number): string => JSON.stringify(fixture.order).padEnd(length);

export const httpCases: Topic = {
  'an unknown route is a 404 in the general envelope': reads(
    [envelopes, 'interface 7.1/General-error-envelope'],
    async (probe) => {
      for (const path of ['/nothing', '/games/a/b', '/order/a/b', '/invoice', '/invoice/INV-1/nothing'])
        expectEnvelope(probe, await probe.get(path), [404, 'ROUTE_NOT_FOUND']);
    },
  ),
  'GET /order is a 405 that allows POST': reads([envelopes], async (probe) => {
    const response = await probe.get('/order');
    expectEnvelope(probe, response, [405, 'METHOD_NOT_ALLOWED']);
    expectHeader(response, 'Allow', 'POST', envelopes);
  }),
  'other methods are a 405 that says which the route allows': writes(
    [envelopes, 'interface 7.1/General-error-envelope'],
    async (probe) => {
      const reads = ['/games', '/games/a', '/order/a', '/invoice/INV-1', '/invoice/INV-1/payment-status'];
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        for (const path of reads) {
          const response = await probe.send(method, path);
          expectEnvelope(probe, response, [405, 'METHOD_NOT_ALLOWED']);
          const allowed = (response.headers.get('Allow') ?? '').split(/, */);
          const shown = { ...response, body: allowed.join(', ') };
          expectThat(allowed.includes('GET'), shown, '', 'Allow: GET', envelopes);
        }
    },
  ),
  'PUT, PATCH and DELETE of /order are a 405 that allows POST': writes([envelopes], async (probe) => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const response = await probe.send(method, '/order');
      expectEnvelope(probe, response, [405, 'METHOD_NOT_ALLOWED']);
      expectHeader(response, 'Allow', 'POST', envelopes);
    }
  }),
  'a body of more than 64 KiB is a 413, whatever it says': writes(
    [envelopes, limits, 'open-points Errors/Order-of-checks-on-POST-order'],
    async (probe) => {
      for (const body of [padded(probe, largestBody + 1), 'x'.repeat(largestBody + 1)]) {
        const response = await probe.send('POST', '/order', { body, headers: json });
        expectEnvelope(probe, response, [413, 'PAYLOAD_TOO_LARGE']);
      }
    },
  ),
  'a body of 64 KiB is taken': writes([limits], async (probe) => {
    const body = padded(probe, largestBody);
    readCreated(probe, await probe.send('POST', '/order', { body, headers: json }), limits);
  }),
  'a body that says it is no JSON is a 415': writes(
    [envelopes, 'interface 4/For-a-request-with-a-body'],
    async (probe) => {
      const body = JSON.stringify(probe.fixture.order);
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
        const response = await probe.send('POST', '/order', { body, headers: { 'Content-Type': type } });
        expectEnvelope(probe, response, [415, 'UNSUPPORTED_MEDIA_TYPE']);
      }
    },
  ),
  'application/json may name its charset': writes(
    ['interface 4/For-a-request-with-a-body'],
    async (probe) => {
      const response = await probe.order({}, { 'Content-Type': 'application/json; charset=utf-8' });
      readCreated(probe, response, 'interface 4/For-a-request-with-a-body');
    },
  ),
  'a body that is no JSON is a 422': writes([notJson], async ({ send }) => {
    for (const body of ['{', '{"id": }', 'id=1', "{'id': '1'}"])
      expectError(
        await send('POST', '/order', { body, headers: json }),
        invalidField('body', { rule: 'json' }, 'MALFORMED_JSON'),
        notJson,
      );
  }),
  'no body at all is an empty order': writes([noBody], async ({ send, post }) => {
    const empty = await post({});
    for (const headers of [json, {}]) {
      const response = await send('POST', '/order', { headers });
      expectStatus(response, 422, noBody);
      expectAt(response, '', empty.body, noBody);
    }
  }),
  'a request without Accept is not rejected': reads(
    [
      'open-points Errors/The-service-accepts-a-request-without',
      'open-points Departures-from-the-interface/pricing-promo_code-is-null-without-a',
    ],
    async ({ get }) => {
      const by = 'open-points Errors/The-service-accepts-a-request-without';
      for (const accept of [null, 'text/html'])
        expectStatus(await get('/games', { Accept: accept }), 200, by);
    },
  ),
};
