import {
  businessError,
  expectAt,
  expectError,
  expectHeader,
  expectStatus,
  expectThat,
  requireCheckedPhones,
} from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { placeOrder, readCreated } from '../../orders.ts';
import { type ProbedResponse, type Topic, writes } from '../../probe.ts';

const optional: SpecReference = 'open-points Idempotency/Idempotency-Key-is-optional-on-POST';
const freed: SpecReference = 'open-points Idempotency/It-stores-only-a-201-any';
const same: SpecReference = 'open-points Idempotency/For-the-same-canonical-payload-after';
const belongs: SpecReference = 'open-points Idempotency/A-key-belongs-to-its-order';
const echoed: SpecReference = 'open-points Idempotency/A-server-that-honours-the-key';
const another: SpecReference = 'open-points Errors/Idempotency-Key-with-another-payload';
const usedKey: SpecReference = 'open-points Errors/Idempotency-Key-of-an-order-whose';
const inFlight: SpecReference = 'open-points Errors/same-key-still-in-flight';
const checks: SpecReference = 'open-points Errors/Order-of-checks-on-POST-order';

const day = 86_400_000;

const conflict = businessError('IDEMPOTENCY_CONFLICT');

const freshKey = (): Record<string, string> => ({ 'Idempotency-Key': crypto.randomUUID() });

function expectReplay(response: ProbedResponse, first: ProbedResponse, by: SpecReference = same): void {
  expectStatus(response, 201, by);
  expectThat(response.text === first.text, response, '', `byte for byte ${first.text}`, by);
  expectHeader(response, 'Idempotency-Replayed', 'true', by);
}

export const idempotencyCases: Topic = {
  'the same order with the same key gets the first response, byte for byte': writes([same], async (probe) => {
    const headers = freshKey();
    const { response: first } = await placeOrder(probe, { quantity: 2 }, { headers });
    expectHeader(first, 'Idempotency-Replayed', null, same);
    for (let time = 1; time <= 2; time += 1) expectReplay(await probe.order({ quantity: 2 }, headers), first);
  }),
  'without a key, and with another, the same order is a new one': writes([optional], async (probe) => {
    const { order: first } = await placeOrder(probe, {}, { headers: freshKey() });
    for (const headers of [{}, freshKey()]) {
      const { response, order } = await placeOrder(probe, {}, { headers, by: optional });
      const fresh = order.order_id !== first.order_id;
      expectThat(fresh, response, 'orderId', 'an order of its own', optional);
    }
  }),
  'orders are the same after normalisation': writes([same], async (probe) => {
    const headers = freshKey();
    const { id, product_id, whatsapp, ...rest } = probe.fixture.order;
    const { response: first } = await placeOrder(probe, { nickname: 'Player One' }, { headers });
    const written = { nickname: ' Player One ', id: ` ${id}`, product_id: String(product_id) };
    const response = await probe.post({ ...written, ...rest, messenger_number: whatsapp, extra: 1 }, headers);
    expectReplay(response, first);
  }),
  'a phone number is the same in each notation': writes(
    [same, 'open-points Errors/whatsapp-must-be-a-phone-number'],
    async (probe) => {
      requireCheckedPhones(probe);
      const headers = freshKey();
      const { response: first } = await placeOrder(probe, { whatsapp: '081234567890' }, { headers });
      for (const whatsapp of ['6281234567890', '+62 812-3456-7890'])
        expectReplay(await probe.order({ whatsapp }, headers), first);
      expectError(await probe.order({ whatsapp: '081234567891' }, headers), conflict, another);
    },
  ),
  'a key is the same bare and quoted': writes([optional], async (probe) => {
    const key = crypto.randomUUID();
    const { response: first } = await placeOrder(probe, {}, { headers: { 'Idempotency-Key': key } });
    expectReplay(await probe.order({}, { 'Idempotency-Key': `"${key}"` }), first, optional);
  }),
  'a key with another order is a 409': writes([another], async (probe) => {
    const headers = freshKey();
    await placeOrder(probe, {}, { headers });
    expectError(await probe.order({ quantity: 2 }, headers), conflict, another);
  }),
  'a used key is checked after the body, and before the fields': writes([checks], async (probe) => {
    const headers = freshKey();
    await placeOrder(probe, {}, { headers });
    expectError(await probe.post({}, headers), conflict, checks);
    const type = { 'Content-Type': 'application/json' };
    const response = await probe.send('POST', '/order', { body: '{', headers: { ...headers, ...type } });
    expectStatus(response, 422, checks);
  }),
  'a rejected order frees its key': writes([freed], async (probe) => {
    const headers = freshKey();
    expectStatus(await probe.order({ id: undefined }, headers), 422, freed);
    expectStatus(await probe.order({ game: 'no-such-game-at-all' }, headers), 404, freed);
    const { response } = await placeOrder(probe, {}, { headers, by: freed });
    expectHeader(response, 'Idempotency-Replayed', null, freed);
  }),
  'every response contains the key': writes([echoed], async (probe) => {
    const headers = freshKey();
    const key = headers['Idempotency-Key'] ?? null;
    const text = { ...headers, 'Content-Type': 'text/plain' };
    const responses = [
      await probe.order({}, headers),
      await probe.order({}, headers),
      await probe.order({ quantity: 2 }, headers),
      await probe.post({}, headers),
      await probe.order({}, { ...headers, 'X-API-KEY': null }),
      await probe.order({}, text),
      await probe.send('POST', '/order', { body: '{', headers }),
      await probe.send('POST', '/order', { body: ' '.repeat(70_000), headers }),
    ];
    for (const response of responses) expectHeader(response, 'Idempotency-Key', key, echoed);
    expectHeader(await probe.order(), 'Idempotency-Key', null, echoed);
  }),
  'a key has at most 255 characters': writes([optional], async (probe) => {
    const key = crypto.randomUUID().padEnd(255, 'x');
    await placeOrder(probe, {}, { headers: { 'Idempotency-Key': key }, by: optional });
    const response = await probe.order({}, { 'Idempotency-Key': `${key}x` });
    const rejected = response.status >= 400 && response.status < 500;
    expectThat(rejected, response, '', 'an error (4xx)', optional);
  }),
  'the same order sent five times at once is placed once': writes([same, inFlight], async (probe) => {
    const headers = freshKey();
    const responses = await Promise.all(Array.from({ length: 5 }, () => probe.order({}, headers)));
    const waiting = responses.filter(({ status }) => status === 409);
    for (const response of waiting) expectHeader(response, 'Retry-After', '1', inFlight);
    const [first, ...others] = responses.filter((response) => !waiting.includes(response));
    if (first) readCreated(probe, first, same);
    for (const response of others)
      expectThat(response.text === first?.text, response, '', 'the same order', same);
  }),
  // This is the last case, because it moves the clock far ahead.
  'a key is not forgotten: after 31 days it still means its order': writes(
    [belongs, usedKey, another],
    async (probe) => {
      const { advance } = probe.needSandbox();
      const headers = freshKey();
      const { response: first, order } = await placeOrder(probe, {}, { headers });
      await advance(31 * day);
      const response = await probe.order({}, headers);
      // The service's settings determine how long responses are replayed.
      if (response.status === 201) expectReplay(response, first, belongs);
      else {
        expectStatus(response, 409, belongs);
        expectAt(response, 'orderId', order.order_id, usedKey);
        expectHeader(response, 'Idempotency-Order-Id', order.order_id, usedKey);
        expectHeader(response, 'X-Error-Code', 'IDEMPOTENCY_KEY_USED', usedKey);
      }
      expectError(await probe.order({ quantity: 2 }, headers), conflict, another);
    },
  ),
};
