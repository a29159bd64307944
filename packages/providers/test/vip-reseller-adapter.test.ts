import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSimulated } from '../../simulators/test/helpers/simulators.ts';
import { createVipResellerSupplier } from '../src/vip-reseller/adapter.ts';
import { callbackOf, errorOf, purchase, question, signal, startFake, textOf } from './helpers/suppliers.ts';

const settings = { apiId: 'id1', apiKey: 'key1' };
const constant = 'b157f66e7159abe523a88b0028d80694';
const order = purchase({ productCode: 'ML86' });

let vip: Awaited<ReturnType<typeof startSimulated>>;
let supplier: ReturnType<typeof createVipResellerSupplier>;
beforeEach(async () => {
  vip = await startSimulated('vip-reseller');
  supplier = createVipResellerSupplier({ ...settings, baseUrl: vip.baseUrl });
});
afterEach(() => vip[Symbol.asyncDispose]());

const orders = async () => (await vip.books()).orders;

/** Places an order that is not settled yet. */
async function placed(): Promise<string> {
  const { supplierId } = await supplier.submit(order, signal);
  if (supplierId === undefined) throw new Error('The order has no id.');
  return supplierId;
}

const available = {
  ...{ code: 'ML86', game: 'Mobile Legends', name: '86 Diamonds', status: 'available' },
  price: { basic: 20_400, premium: 20_200, special: 20_000 },
};
/** A server that lists a service, and responds so to everything else. */
const fake = async (body: unknown, { status = 200, service = available as unknown } = {}) => {
  const { baseUrl, requests } = await startFake((request) =>
    request.includes('type=services')
      ? { body: { result: true, data: [service], message: 'ok' } }
      : { status, body },
  );
  return { supplier: createVipResellerSupplier({ ...settings, baseUrl }), requests };
};

describe('an order through VIP Reseller', () => {
  it('reports an order as pending with its id, then as delivered with its note, and places it once', async () => {
    const supplierId = await placed();
    await vip.advance(2);
    expect(await supplier.find(question({ supplierId }), signal)).toEqual({
      state: 'pending',
      supplierId,
      cost: 20_400,
    });
    await vip.advance(3);

    const found = await supplier.find(question({ supplierId }), signal);
    const [{ trxid, note, price }, ...others] = await orders();
    expect(others).toEqual([]);
    expect({ trxid, price }).toEqual({ trxid: supplierId, price: 20_400 });
    expect(found).toEqual({
      ...{ state: 'delivered', serialNumber: note, supplierId },
      cost: 20_400,
    });
  });

  it('sends the documented fields', async () => {
    await placed();
    await supplier.submit({ ...order, target: { id: '1&2', server: null, text: '1&2' } }, signal);

    const calls: { operation: string; body: string }[] = await vip.calls();
    const sent = calls.filter(({ operation }) => operation === 'order');
    const forms = sent.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    // The books of calls hide the key.
    const account = { key: '***', sign: constant, type: 'order', service: 'ML86' };
    expect(forms).toEqual([
      { ...account, data_no: '12345678', data_zone: '2012' },
      { ...account, data_no: '1&2' },
    ]);
  });

  it("reports a failure with VIP Reseller's reason", async () => {
    await vip.act('plan', { outcome: 'failed' });
    const supplierId = await placed();
    await vip.advance(5);

    expect(await supplier.find(question({ supplierId }), signal)).toEqual({
      ...{ state: 'failed', supplierId },
      reason: 'VIP Reseller: Transaksi gagal',
    });
  });

  it('waits for the balance after a rejection', async () => {
    await vip.act('balance', { balance: 1 });

    expect(await supplier.submit(order, signal)).toEqual({
      ...{ state: 'pending', waitsFor: 'balance' },
      reason:
        'VIP Reseller: the order was rejected: Saldo tidak mencukupi. Top up the balance in its dashboard.',
    });
    expect(await orders()).toEqual([]);
  });

  it.each([
    ['success', 'SN1', { state: 'delivered', serialNumber: 'SN1', cost: 1 }],
    ['success', '', { state: 'delivered', serialNumber: '', cost: 1 }],
    ['success', null, { state: 'delivered', serialNumber: '', cost: 1 }],
    ['error', 'no', { state: 'failed', reason: 'VIP Reseller: no' }],
    [
      'error',
      'Layanan sedang gangguan',
      {
        ...{ state: 'failed', reason: 'VIP Reseller: Layanan sedang gangguan' },
        ...{ kind: 'product_unavailable', isTemporary: true },
      },
    ],
    ['waiting', '', { state: 'pending', cost: 1 }],
    ['processing', '', { state: 'pending', cost: 1 }],
    ['something else', '', { state: 'pending', cost: 1 }],
  ])('reports an order that is immediately %s with the note %j', async (status, note, result) => {
    const body = { result: true, data: { trxid: 'VP1', status, note, price: 1, balance: 1 }, message: 'x' };

    expect(await (await fake(body)).supplier.submit(order, signal)).toEqual({ ...result, supplierId: 'VP1' });
  });

  it.each([
    ['is a number', { result: true, data: { trxid: 17 } }],
    ['is in a list', { result: true, data: [{ trxid: '17' }] }],
    ['comes with an error', { result: false, data: { trxid: '17', status: 'error' }, message: 'x' }],
  ])("keeps the order's id, even if %s", async (_what, body) => {
    expect(await (await fake(body)).supplier.submit(order, signal)).toEqual({
      ...{ state: 'pending', supplierId: '17' },
    });
  });
});

describe('the price before an order', () => {
  it.each([
    ['too high', { maxPrice: 20_399 }, 'costs up to 20400, which is more than 20399', undefined],
    ['missing', { productCode: 'none' }, 'no product none', 'product_unavailable'],
  ])('orders nothing if the price is %s', async (_what, changes, reason, kind) => {
    expect(await supplier.submit({ ...order, ...changes }, signal)).toEqual({
      ...{ state: 'failed', kind },
      reason: expect.stringContaining(reason),
    });
    expect(await orders()).toEqual([]);
  });

  it('orders if the price is just low enough', async () => {
    expect(await supplier.submit({ ...order, maxPrice: 20_400 }, signal)).toMatchObject({ state: 'pending' });
  });

  it.each(['basic', 'premium', 'special'])(
    'assumes the highest of three prices, even if it is the %s price',
    async (name) => {
      const price = { basic: 1, premium: 1, special: 1, [name]: 22_001 };
      const { supplier: dear, requests } = await fake({}, { service: { ...available, price } });

      expect(await dear.submit(order, signal)).toMatchObject({ state: 'failed' });
      expect(requests).toHaveLength(1);
    },
  );

  it.each([
    ['basic', 20_399, 'failed'],
    ['basic', 20_400, 'pending'],
    ['premium', 20_200, 'pending'],
    ['special', 19_999, 'failed'],
    ['special', 20_000, 'pending'],
  ] as const)('uses the price of the level %s: at most %i', async (level, maxPrice, state) => {
    await vip.act('level', { level });
    const levelled = createVipResellerSupplier({ ...settings, level, baseUrl: vip.baseUrl });

    expect(await levelled.submit({ ...order, maxPrice }, signal)).toMatchObject({ state });
    expect(await orders()).toHaveLength(state === 'pending' ? 1 : 0);
  });

  it('orders nothing if the service is unavailable', async () => {
    await vip.act('service', { code: 'ML86', status: 'empty' });

    expect(await supplier.submit(order, signal)).toMatchObject({
      ...{ state: 'pending', waitsFor: 'product' },
      reason: expect.stringContaining('not available'),
    });
    expect(await orders()).toEqual([]);
  });

  it.each(['lost-response', 'error-500', 'slow'])(
    "orders nothing if the price can't be read: %s",
    async (fault) => {
      await vip.fault(fault, { on: 'services' });
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      // The five seconds in which a price has to be read, ten times as fast.
      using limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 10));

      expect(await supplier.submit(order, signal)).toMatchObject({
        ...{ state: 'pending', waitsFor: 'supplier' },
        reason: expect.stringContaining('the price could not be read'),
      });
      expect(limits).toHaveBeenCalledWith(5_000);
      expect(await orders()).toEqual([]);
    },
  );

  it('accepts that VIP Reseller charges 1 rupiah more, and buys once', async () => {
    await vip.fault('wrong-amount');

    expect(await supplier.submit({ ...order, maxPrice: 20_400 }, signal)).toMatchObject({ state: 'pending' });
    expect(await orders()).toMatchObject([{ price: 20_401 }]);
  });
});

describe('an order through VIP Reseller whose response does not come', () => {
  it.each([
    ['lost-response', 'may have been carried out', 1],
    ['error-500', 'status 500', 0],
  ])('leaves the outcome unknown: %s', async (fault, text, count) => {
    await vip.fault(fault, { on: 'order' });

    await expect(supplier.submit(order, signal)).rejects.toThrow(text);
    expect(await orders()).toHaveLength(count);
  });

  it('leaves the outcome of a late response unknown', async () => {
    await vip.fault('slow', { on: 'order' });

    await expect(supplier.submit(order, AbortSignal.timeout(300))).rejects.toThrow(
      'VIP Reseller: POST /game-feature did not respond in time.',
    );
    expect(await orders()).toHaveLength(1);
  });

  it('looks up no order without its id', async () => {
    await expect(supplier.find(question(), signal)).rejects.toThrow('by hand');
  });

  it.each(['lost-response', 'error-500'])('repeats a failed look-up: %s', async (fault) => {
    const supplierId = await placed();
    await vip.fault(fault, { on: 'status' });
    await expect(supplier.find(question({ supplierId }), signal)).rejects.toThrow();
    await vip.advance(5);

    expect(await supplier.find(question({ supplierId }), signal)).toMatchObject({ state: 'delivered' });
    expect(await orders()).toHaveLength(1);
  });
});

describe('a response of VIP Reseller that makes no sense has no outcome', () => {
  it.each([
    ['is HTML', '<html>'],
    ['is empty', {}],
    ['has no id', { result: true, data: { status: 'success', note: 'SN' }, message: 'x' }],
    ['has an empty id', { result: true, data: { trxid: '', status: 'success' }, message: 'x' }],
    ['has no data', { result: true, data: null, message: 'x' }],
    ['is not a result', { result: 'no', data: null, message: 'x' }],
  ])('reports no outcome when the response to an order %s', async (_what, body) => {
    const error = await errorOf((await fake(body)).supplier.submit(order, signal));
    expect(error.name).toBe('ProviderError');
  });

  it('reports no outcome for status 500, whatever the body', async () => {
    const body = { result: false, data: null, message: 'x' };

    await expect((await fake(body, { status: 500 })).supplier.submit(order, signal)).rejects.toThrow('500');
  });

  it.each([
    ['does not contain the order', { result: false, data: null, message: 'Transaksi tidak ditemukan' }],
    ['is empty', { result: true, data: [], message: 'x' }],
    ['is not a list', { result: true, data: { trxid: 'VP1', status: 'success', note: 'SN' }, message: 'x' }],
    ['is of another order', { result: true, data: [{ trxid: 'VP2', status: 'success', note: 'SN' }] }],
    ['has an unknown status', { result: true, data: [{ trxid: 'VP1', status: 'partial', note: '' }] }],
    ['has no status', { result: true, data: [{ trxid: 'VP1' }] }],
  ])('reports no outcome when the response to a look-up %s', async (_what, body) => {
    const asked = (await fake(body)).supplier.find(question({ supplierId: 'VP1' }), signal);
    expect((await errorOf(asked)).name).toBe('ProviderError');
  });
});

it('shows no secret in errors and reasons, whatever VIP Reseller repeats', async () => {
  for (const bodyOf of [
    (text: string) => ({ result: false, data: null, message: text }),
    (text: string) => ({ result: true, data: [{ trxid: 'VP1', status: 'error', note: text }], message: 'x' }),
    (text: string) => text,
  ]) {
    const { baseUrl, requests } = await startFake((body) =>
      body.includes('type=services') && bodyOf('x') !== 'x'
        ? { body: { result: true, data: [available], message: 'ok' } }
        : { body: bodyOf(`canary-id canary-key ${body}`) },
    );
    const secretive = createVipResellerSupplier({ apiId: 'canary-id', apiKey: 'canary-key', baseUrl });
    const texts = [
      await textOf(secretive.submit(order, signal)),
      await textOf(secretive.find(question({ supplierId: 'VP1' }), signal)),
      await textOf(Promise.resolve(secretive.readBalance?.(signal))),
    ];
    const sign = new URLSearchParams(requests[0]).get('sign') ?? '';
    expect(sign).toMatch(/^[0-9a-f]{32}$/);
    for (const text of texts) expect(text).not.toMatch(new RegExp(`canary|${sign}`));
  }
});

describe('look-ups at VIP Reseller', () => {
  it('reads available services', async () => {
    await vip.act('service', { code: 'FF70', status: 'empty' });

    const products = await supplier.readProducts?.(signal);
    expect(products?.map(({ code, isAvailable }) => [code, isAvailable])).toEqual([
      ['ML86', true],
      ['ML172', true],
      ['FF70', false],
      ['PUBGM60', true],
    ]);
    expect(products?.[0]).toEqual({
      ...{ code: 'ML86', price: 20_400, name: '86 Diamonds', brand: 'Mobile Legends', isAvailable: true },
      ...{ stock: null, isOncePerDay: false, pause: null },
    });
  });

  it.each([
    ['of the level', 'special', 19_000],
    ['that is the highest', undefined, 21_000],
  ] as const)('reads the price %s, which changes', async (_what, level, price) => {
    await vip.act('service', { code: 'ML86', price: 20_000, premium: 21_000, special: 19_000 });
    const levelled = createVipResellerSupplier({ ...settings, level, baseUrl: vip.baseUrl });

    expect((await levelled.readProducts?.(signal))?.[0]).toMatchObject({ code: 'ML86', price });
  });

  it('rounds a price up, even if the price is a text', async () => {
    const price = { basic: '20400.10', premium: 1, special: 1 };
    const { supplier: other } = await fake({}, { service: { ...available, price } });

    expect(await other.readProducts?.(signal)).toMatchObject([{ price: 20_401 }]);
  });

  it('skips unreadable rows, and fails if there are no other rows', async () => {
    const unreadable = (await fake({}, { service: { code: 'ML86', status: 'available' } })).supplier;

    await expect(unreadable.readProducts?.(signal)).rejects.toThrow('got no readable rows');
  });

  it('reads the balance, even if it is a text', async () => {
    await vip.act('balance', { balance: 123_456 });
    expect(await supplier.readBalance?.(signal)).toBe(123_456);

    const asText = await fake({ result: true, data: { balance: '123456' }, message: 'x' });
    expect(await asText.supplier.readBalance?.(signal)).toBe(123_456);
  });

  it.each([
    ['mobile-legends', '12345678', '2012'],
    ['pubg-mobile', '5123', null],
  ])("finds a player of %s by the game's code", async (game, id, server) => {
    expect(await supplier.findPlayer?.({ game, id, server }, signal)).toEqual({
      exists: true,
      nickname: `Player ${id}`,
    });
  });

  it('recognises unknown players, and games without a player look-up', async () => {
    const of = (game: string, id: string) => supplier.findPlayer?.({ game, id, server: null }, signal);
    expect(await of('free-fire', '0000')).toEqual({ exists: false });
    expect(await of('roblox', '1')).toBeNull();
  });

  it.each([
    ['a wrong key', { result: false, data: null, message: 'Permintaan tidak sesuai: key atau sign salah' }],
    ['an unknown code', { result: false, data: null, message: 'Kode game tidak ditemukan' }],
    ['a name that is not a text', { result: true, data: { name: 'x' }, message: 'ok' }],
  ])('never treats %s as an unknown player', async (_, response) => {
    const other = (await fake(response)).supplier;
    await expect(other.findPlayer?.({ game: 'free-fire', id: '1', server: null }, signal)).rejects.toThrow(
      'a nickname could not be read',
    );
  });

  it('explains how to correct a wrong key', async () => {
    const wrong = createVipResellerSupplier({ ...settings, apiKey: 'another', baseUrl: vip.baseUrl });

    await expect(wrong.readBalance?.(signal)).rejects.toThrow(/key atau sign salah.*Check the API id/);
  });
});

describe('a webhook of VIP Reseller', () => {
  const read = (text: string, headers: Record<string, string> = { 'x-client-signature': constant }) =>
    supplier.callbacks?.read({ headers, body: new TextEncoder().encode(text) });
  const received = () => vip.shop.received.map((one) => supplier.callbacks?.read(callbackOf(one)));
  const question = (supplierId: string) => ({
    ...{ state: 'event', event: { reference: null, supplierId, result: null } },
  });

  it('reads only the order from an unverified webhook, so that the server must look it up', async () => {
    const trxid = await placed();
    await vip.advance(5);

    expect(received()).toEqual([question(trxid), question(trxid)]);
  });

  it('reads a repeated webhook each time, but never with a wrong signature', async () => {
    await vip.fault('duplicate-callback', { on: 'processing' });
    await vip.fault('bad-signature', { on: 'success' });
    await placed();
    await vip.advance(5);

    expect(received().map((one) => one?.state)).toEqual(['event', 'event', 'rejected']);
  });

  it.each([
    '{"data":{"trxid":"VP1","status":"success","note":"SN"}}',
    '{"data":[{"trxid":"VP1","status":"success"}]}',
    '[{"trxid":"VP1"}]',
    '{"trxid":"VP1","data":"12345678"}',
  ])('reads the order from %s', (text) => {
    expect(read(text)).toEqual(question('VP1'));
  });

  it.each(['', 'null', '{}', '[]', '{"data":{}}', '{"data":[]}', '{"trxid":""}', 'trxid=VP1'])(
    'rejects a webhook with %j',
    (text) => {
      expect(read(text)).toMatchObject({ state: 'rejected', status: 400 });
    },
  );

  it.each([{}, { 'x-client-signature': '' }, { 'x-client-signature': 'b157' }] as Record<string, string>[])(
    'rejects a webhook with the headers %j',
    (headers) => {
      const reading = read('{"trxid":"VP1"}', headers);

      expect(reading).toMatchObject({ state: 'rejected', status: 401 });
      expect(JSON.stringify(reading)).not.toMatch(/VP1|b157/);
    },
  );

  it.each([
    ['applied', 200],
    ['unchanged', 200],
    ['contradiction', 200],
    ['unmatched', 200],
    ['failed', 503],
  ] as const)('responds to a webhook that is %s with %i', (outcome, status) => {
    expect(supplier.callbacks?.respond(outcome).status).toBe(status);
  });

  it('responds to a rejected webhook with the reason', () => {
    expect(supplier.callbacks?.respond('rejected', 401).status).toBe(401);
  });
});
