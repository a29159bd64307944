import { describe, expect, it } from 'vitest';
import { createConcealment } from '../src/features/callbacks/secrets.ts';
import type { Store } from '../src/features/store.ts';
import { callbackGateway, callbackSupplier, canary, signed } from './helpers/providers.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const from = '203.0.113.7';

async function start(store?: (real: Store) => Store) {
  const { gateway, control, asked } = callbackGateway();
  const service = await createTestService({
    gateway,
    supplier: callbackSupplier().supplier,
    ...(store && { store }),
  });
  const { callbacks } = service;
  const receive = async (request: ReturnType<typeof signed>) =>
    (await callbacks.receive('gateway', 'paygate', request, from))?.response;
  /** The newest callback, when those that prove nothing were stored, too. */
  async function last() {
    await callbacks.storeUnverified();
    return (await service.store.listCallbacks({ limit: 1 }))[0];
  }
  const place = async () => (await service.order({ ...fixtureOrder, promo_code: undefined })).json.orderId;
  const paid = (orderId: string, confirm = false) =>
    signed(
      JSON.stringify({
        reference: `R-${orderId}`,
        orderId,
        report: { status: 'paid', amount: 44_000, at: service.clock.now },
        confirm,
      }),
    );
  return { ...service, control, asked, receive, last, place, paid };
}

describe('a callback', () => {
  it('stores a callback byte for byte, with the headers that a replay needs', async () => {
    const { receive, last } = await start();
    const body = new Uint8Array([0xff, 0x00, 0x7b, 0xc3, 0x28]);
    const { headers } = signed(body);
    const more = {
      cookie: 'a=b',
      authorization: 'Basic x',
      'x-api-key': 'k',
      'user-agent': 'Hook',
      via: 'p',
    };
    expect(await receive({ headers: { ...headers, ...more }, body })).toEqual({
      status: 400,
      body: { seen: 'rejected' },
    });
    const kept = await last();
    expect(kept?.body).toEqual(body);
    expect(kept?.headers).toEqual({ ...headers, 'user-agent': 'Hook' });
    expect(kept).toMatchObject({ outcome: 'rejected', reason: 'It is not JSON.', address: from });
  });

  it.each([
    ['a wrong signature', { headers: { 'x-test-signature': '0' }, body: signed('{}').body }, 401, 'rejected'],
    ['no signature', { headers: {}, body: signed('{}').body }, 401, 'rejected'],
    // Nothing shows that it is genuine, so it is not kept for good.
    ['content on which the adapter fails', signed('throw'), 400, 'rejected'],
    ['content that the adapter ignores', signed('nonsense'), 400, 'rejected'],
    ['a test of the address', signed('ping'), 200, 'ignored'],
  ])('stores a callback with %s', async (_what, request, status, outcome) => {
    const { receive, last, handled } = await start();
    expect(await receive(request)).toEqual({ status, body: { seen: outcome } });
    expect(await last()).toMatchObject({ outcome, orderId: null });
    expect(handled).toMatchObject([{ provider: 'paygate', outcome, callbackId: (await last())?.callbackId }]);
    expect(JSON.stringify(await last())).not.toContain('secret-in-an-error');
  });

  it.each([
    ['gateway', 'paygate', { report: { status: 'paid', amount: '44000', at: 1 } }, 'result.report.amount'],
    ['gateway', 'paygate', { report: { status: 'paid', amount: 1, at: 1 }, orderId: 7 }, 'result.orderId'],
    ['supplier', 'depot', { supplierId: null, result: { state: 'done' } }, 'result.result.state'],
  ] as const)(
    'stores nothing for a %s callback in state %s with invalid content %j, and names the error',
    async (...given) => {
      const [source, name, over, place] = given;
      const { callbacks, last, handled, store } = await start();
      const body = JSON.stringify({ reference: 'X', orderId: null, confirm: false, ...over });
      expect((await callbacks.receive(source, name, signed(body), from))?.response?.status).toBe(503);
      expect(await last()).toMatchObject({ outcome: 'failed' });
      expect(String(handled[0]?.error)).toContain(`callbacks.read returned an invalid ${place}`);
      expect(await store.listReconciliations()).toEqual([]);
    },
  );

  const unparsed = new Error("The adapter's callbacks.read could not parse the body.");
  const own = new TypeError('no such field');
  it.each<[unknown, unknown]>([
    [own, own],
    ['no such field', 'no such field'],
    [null, null],
    [undefined, undefined],
    [{ message: 'no such field' }, { message: 'no such field' }],
    // They quote the body. The second is one of another realm.
    [new SyntaxError('Unexpected token in private'), unparsed],
    [{ name: 'SyntaxError', message: 'Unexpected token in private' }, unparsed],
  ])('logs that the adapter fails on a callback with %o with %o', async (thrown, logged) => {
    const { gateway } = callbackGateway();
    const read = () => {
      throw thrown;
    };
    const { callbacks, handled, store } = await createTestService({
      gateway: { ...gateway, callbacks: { respond: () => ({ status: 400, body: {} }), read } },
    });
    await callbacks.receive('gateway', 'paygate', signed('{}'), from);
    await callbacks.storeUnverified();
    const reason = 'The adapter could not read it.';
    expect(handled).toEqual([
      expect.objectContaining({ outcome: 'rejected', reason, orderId: null, error: logged }),
    ]);
    expect(await store.listCallbacks({ limit: 10 })).toMatchObject([{ outcome: 'rejected', reason }]);
  });

  it('rejects a callback for an unknown provider, or for a provider of the other kind', async () => {
    const { callbacks, store } = await start();
    for (const [source, name] of [
      ['gateway', 'nobody'],
      ['gateway', 'depot'],
      ['supplier', 'paygate'],
    ] as const) {
      expect(callbacks.has(source, name)).toBe(false);
      expect(await callbacks.receive(source, name, signed('ping'), from)).toBeNull();
    }
    const bare = await createTestService();
    for (const service of [{ callbacks }, bare])
      for (const source of ['gateway', 'supplier'] as const) service.callbacks.forbid(source, 'nobody', from);
    await Promise.all([callbacks.storeUnverified(), bare.callbacks.storeUnverified()]);
    expect(bare.callbacks.has('supplier', 'depot')).toBe(false);
    expect(await bare.callbacks.receive('supplier', 'depot', signed('ping'), from)).toBeNull();
    for (const kept of [store, bare.store]) expect(await kept.listCallbacks({ limit: 10 })).toEqual([]);
  });

  it("asks for a callback again when it can't be stored, and the repeated callback takes effect once", async () => {
    let isFull = true;
    const { receive, place, paid, store, handled, last } = await start((real) => ({
      ...real,
      addCallback: (callback) =>
        isFull ? Promise.reject(new Error('disk full')) : real.addCallback(callback),
    }));
    const orderId = await place();
    const request = paid(orderId);
    expect(await receive(request)).toEqual({ status: 503, body: { seen: 'failed' } });
    expect(handled).toMatchObject([
      {
        outcome: 'failed',
        callbackId: null,
        error: { message: 'disk full' },
        reason: 'It could not be stored.',
      },
    ]);
    isFull = false;
    expect((await receive(request))?.status).toBe(200);
    expect(await last()).toMatchObject({ outcome: 'unchanged', orderId });
    expect(await store.findHistory(orderId)).toHaveLength(1);
  });

  it("stores a callback that can't be applied as failed, and asks for it again", async () => {
    let isBroken = true;
    const { receive, place, paid, last, handled, store } = await start((real) => ({
      ...real,
      changeOrder: (change) => (isBroken ? Promise.reject(new Error('locked')) : real.changeOrder(change)),
    }));
    const orderId = await place();
    expect((await receive(paid(orderId)))?.status).toBe(503);
    expect(await last()).toMatchObject({
      ...{ outcome: 'failed', attempts: 1 },
      reason: "An error prevented it. See the server's log.",
    });
    expect(handled).toHaveLength(1);
    isBroken = false;
    expect((await receive(paid(orderId)))?.status).toBe(200);
    expect((await store.findOrder(orderId))?.paymentStatus).toBe('PAID');
  });

  it('gives each callback a unique id', async () => {
    const taken: string[] = [];
    const { receive, place, paid, store } = await start((real) => ({
      ...real,
      async addCallback(callback) {
        taken.push(callback.callbackId);
        return taken.length === 1 ? { conflict: 'callback_taken' } : real.addCallback(callback);
      },
    }));
    await receive(paid(await place()));
    expect(taken).toHaveLength(2);
    expect(await store.findCallback(taken[1] ?? '')).toMatchObject({ outcome: 'applied' });
  });
});

describe('a secret in a callback', () => {
  const textOf = (body: Uint8Array = new Uint8Array()): string => new TextDecoder().decode(body);
  const withToken = (request: ReturnType<typeof signed>) => ({
    ...request,
    headers: { ...request.headers, 'x-token': canary },
  });

  it('stores neither the secret from an address check nor any other part of the body', async () => {
    const { receive, last, store, engine, handled } = await start();
    await receive(withToken(signed(`ping ${canary}, and another secret`)));
    const kept = await last();
    expect(kept).toMatchObject({ outcome: 'ignored', headers: { 'x-token': '[secret 2]' } });
    expect(kept?.body).toHaveLength(0);
    await store.requestReplay(kept?.callbackId ?? '');
    await engine.dueWork.run();
    expect(await last()).toMatchObject({ outcome: 'ignored', reason: kept?.reason, attempts: 2 });
    expect(handled[1]).toEqual(handled[0]);
  });

  it.each([
    ['as it is', `{"secret":"${canary}"}`, '{"secret":"[secret 2]"}'],
    ['as JSON of some writers', '{"secret":"can\\/ary","a":1}', '{"secret":"[secret 1]","a":1}'],
    ['twice', `${canary}${canary}`, '[secret 2][secret 2]'],
  ])("doesn't store the secret %s", async (_what, body, expected) => {
    const { receive, last } = await start();
    await receive({ headers: {}, body: signed(body).body });
    expect(await last()).toMatchObject({ outcome: 'rejected' });
    expect(textOf((await last())?.body)).toBe(expected);
  });

  it('never replaces an empty secret', () => {
    const request = { headers: { token: 'key-1' }, body: new Uint8Array() };
    const { conceal, reveal } = createConcealment(['', 'key-1']);
    expect(conceal(request)).toEqual({ ...request, headers: { token: '[secret 1]' } });
    expect(reveal(conceal(request))).toEqual(request);
  });

  it('restores the secret for a replay, so that the signature stays valid', async () => {
    let isBroken = true;
    const { receive, place, last, store, engine, clock } = await start((real) => ({
      ...real,
      changeOrder: (change) => (isBroken ? Promise.reject(new Error('locked')) : real.changeOrder(change)),
    }));
    const orderId = await place();
    const report = { status: 'paid', amount: 44_000, at: clock.now };
    const event = { reference: `R-${orderId}`, orderId, confirm: false, token: canary, report };
    await receive(signed(JSON.stringify(event)));
    expect(textOf((await last())?.body)).toContain('"token":"[secret 2]"');
    isBroken = false;
    await store.requestReplay((await last())?.callbackId ?? '');
    await engine.dueWork.run();
    await expect.poll(async () => (await last())?.outcome).toBe('applied');
    expect(textOf((await last())?.body)).not.toContain(canary);
  });

  it("doesn't insert the secret into a forged callback that names its placeholder", async () => {
    const { receive, last, store, engine } = await start();
    const { headers } = signed(`ping ${canary}`);
    await receive({ headers, body: new TextEncoder().encode('ping [secret 2]') });
    expect(await last()).toMatchObject({ outcome: 'rejected' });
    await store.requestReplay((await last())?.callbackId ?? '');
    await engine.dueWork.run();
    await expect.poll(last).toMatchObject({ outcome: 'rejected', attempts: 2 });
  });
});

describe('a replay', () => {
  it('verifies the stored bytes again in a replay, and applies them with the current code', async () => {
    const { receive, place, paid, control, last, engine, store, clock } = await start();
    const orderId = await place();
    const paidAt = clock.now;
    control.report = () => Promise.reject(new Error('down'));
    await receive(paid(orderId, true));
    expect(await last()).toMatchObject({ outcome: 'failed' });
    const { callbackId = '' } = (await last()) ?? {};

    control.report = async () => ({ status: 'paid', amount: 44_000, at: paidAt });
    clock.now += 1000;
    await engine.dueWork.run();
    expect(await last()).toMatchObject({ outcome: 'failed', attempts: 1 });
    await store.requestReplay(callbackId);
    await engine.dueWork.run();
    expect(await last()).toMatchObject({
      callbackId,
      outcome: 'applied',
      reason: null,
      orderId,
      attempts: 2,
      replay: false,
      receivedAt: paidAt,
      handledAt: clock.now,
    });
    expect((await store.findOrder(orderId))?.paymentStatus).toBe('PAID');
    expect(await store.listCallbacks({ limit: 10 })).toHaveLength(1);
  });

  it('keeps the effect of an erased callback unchanged in a replay', async () => {
    const { receive, place, paid, control, last, engine, store, clock } = await start();
    const orderId = await place();
    control.report = async () => ({ status: 'paid', amount: 44_000, at: clock.now });
    await receive(paid(orderId, true));
    const { callbackId = '' } = (await last()) ?? {};
    await store.eraseCallbacks([callbackId], { at: clock.now, by: 'ani' });
    await store.requestReplay(callbackId);
    await engine.dueWork.run();
    expect(await last()).toMatchObject({
      outcome: 'applied',
      reason: null,
      orderId,
      attempts: 2,
      replay: false,
    });
  });

  it("keeps a callback's link to its order if a replay fails", async () => {
    const { receive, place, paid, control, last, engine, store, clock } = await start();
    const orderId = await place();
    const report = { status: 'paid', amount: 44_000, at: clock.now } as const;
    control.report = async () => report;
    await receive(paid(orderId, true));
    expect(await last()).toMatchObject({ outcome: 'applied', orderId });
    control.report = () => Promise.reject(new Error('down'));
    await store.requestReplay((await last())?.callbackId ?? '');
    await engine.dueWork.run();
    expect(await last()).toMatchObject({ outcome: 'failed', attempts: 2, orderId });
  });

  it('rejects the replay of a rejected callback again', async () => {
    const { receive, last, engine, store } = await start();
    await receive({ headers: {}, body: signed('{}').body });
    await store.requestReplay((await last())?.callbackId ?? '');
    await engine.dueWork.run();
    expect(await last()).toMatchObject({ outcome: 'rejected', attempts: 2, replay: false });
  });

  it("replays a supplier's callback to the supplier even if a gateway also sends callbacks", async () => {
    const { engine, callbacks, last, store, handled } = await start();
    const event = { reference: 'INV-1-1-1', supplierId: null, result: { state: 'pending' } };
    await callbacks.receive('supplier', 'depot', signed(JSON.stringify(event)), from);
    await store.requestReplay((await last())?.callbackId ?? '');
    await engine.dueWork.run();
    expect(await last()).toMatchObject({ outcome: 'unmatched', attempts: 2, replay: false });
    const { callbackId } = (await last()) ?? {};
    const result = { callbackId, provider: 'depot', outcome: 'unmatched', orderId: null };
    expect(handled).toMatchObject([result, result]);
  });

  it('fails the replay for a provider that is no longer configured, and gives the reason', async () => {
    const { receive, last, store } = await start();
    await receive(signed('ping'));
    await store.requestReplay((await last())?.callbackId ?? '');
    const next = await createTestService({ after: store });
    await next.engine.dueWork.run();
    expect(await last()).toMatchObject({
      outcome: 'failed',
      reason: 'This server receives no callbacks of paygate.',
      replay: false,
    });
  });
});
