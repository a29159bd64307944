import { describe, expect, it } from 'vitest';
import { controls, type Step, sandboxActions } from '../src/features/sandbox/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

type Service = Awaited<ReturnType<typeof createTestService>>;

async function play({ app }: Service, body: object, language = 'en') {
  const response = await app.fetch(
    new Request('http://localhost/sandbox/play', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Accept-Language': language },
      body: JSON.stringify(body),
    }),
  );
  return { status: response.status, json: await response.json() };
}

const steps = (...all: Step[]) => ({ steps: all });
const paid: Step = { do: 'trigger', event: 'order.paid', as: 'first' };

/** The message with which a file ends. */
async function failure(...all: Step[]): Promise<string> {
  const { status, json } = await play(await createTestService(), steps(...all));
  expect(status).toBe(422);
  return json.message;
}

describe('a file of steps', () => {
  it('plays the steps in sequence, and returns the ids of the named things', async () => {
    const service = await createTestService();
    const { status, json } = await play(
      service,
      steps(
        { do: 'create-order', as: 'first', ...fixtureOrder },
        { do: 'pay', order: '$first' },
        { do: 'advance', by: '2s' },
        { do: 'expect-order', order: '$first', state: 'PAID / Sukses', quantity: 2, total_price: 40_000 },
        { do: 'add-fault', as: 'outage', error: 'UNAVAILABLE' },
        { do: 'remove-fault', id: '$outage' },
        { do: 'scenario', name: 'slow' },
        { do: 'scenario', name: 'none' },
      ),
    );
    expect(status).toBe(200);
    const [order] = await service.store.listOrders({ limit: 2 });
    expect(json.data).toEqual({ steps: 8, names: { first: order?.orderId, outage: 1 } });
    expect(service.sandbox.faults.list()).toEqual([]);
  });

  it("accepts a document's text", async () => {
    const document = JSON.stringify(steps(paid), null, 2);
    expect((await play(await createTestService(), { document })).json.data).toMatchObject({ steps: 1 });
  });

  it('has a step for each control and each action', async () => {
    const words = await failure({ do: 'buy' });
    const { play: _play, ...others } = controls;
    for (const name of [...Object.keys(others), ...sandboxActions, 'advance', 'scenario', 'reset'])
      expect(words).toMatch(new RegExp(`[ ,]${name}[,.]`));
    for (const { fields } of Object.values(controls))
      expect(fields.filter(({ name }) => name === 'do' || name === 'as')).toEqual([]);
  });

  it('returns to a snapshot that a step named', async () => {
    const service = await createTestService();
    const { status } = await play(
      service,
      steps({ do: 'snapshot', as: 'empty' }, paid, { do: 'restore', id: '$empty' }),
    );
    expect([status, await service.store.listOrders({ limit: 1 })]).toEqual([200, []]);
  });

  it('uses the account of the key that plays the file', async () => {
    const service = await createTestService();
    const key = await service.keyOf('shop');
    const request = new Request('http://localhost/sandbox/play', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-KEY': key },
      body: JSON.stringify(steps(paid)),
    });
    expect((await service.app.fetch(request)).status).toBe(200);
    expect(await service.store.listOrders({ limit: 1 })).toMatchObject([{ accountId: 'shop' }]);
  });
});

describe('a step that fails', () => {
  it.each<[Step, string]>([
    [
      { do: 'expect-order', order: '$first', state: 'PAID / Sukses' },
      'state should be PAID / Sukses, but is PAID / Proses.',
    ],
    [{ do: 'expect-order', order: '$first', quantity: 3 }, 'quantity should be 3, but is 1.'],
    [
      { do: 'expect-order', order: '$first', failure_reason: 'region_mismatch' },
      'failure_reason should be region_mismatch, but is null.',
    ],
    [{ do: 'expect-webhooks', type: 'order.paid' }, 'times should be 1 or more, but is 0.'],
    [{ do: 'expect-requests', operation: 'createOrder', times: 2 }, 'times should be 2, but is 0.'],
    [{ do: 'pay', order: '$first' }, 'An order that is PAID / Proses does not allow this.'],
    [{ do: 'pay', order: 'INV-1-AAAAAAAA' }, 'not found'],
    [{ do: 'remove-fault', id: 7 }, 'The selected id is invalid.'],
  ])('reports %o with its number, and says %s', async (step, words) => {
    const message = await failure({ do: 'reset' }, paid, step, { do: 'reset' });
    expect(message).toContain(`Step 3 (${step.do}): `);
    expect(message).toContain(words);
  });

  it('explains a failed step in Indonesian as well, and stops the file', async () => {
    const service = await createTestService();
    const wrong = steps(
      paid,
      { do: 'expect-order', order: '$first', quantity: 3 },
      { do: 'pay', order: '$first' },
      { do: 'reset' },
    );
    const { json } = await play(service, wrong, 'id');
    expect(json.message).toBe('Langkah 2 (expect-order): quantity seharusnya 3, ternyata 1.');
    expect(await service.store.listOrders({ limit: 2 })).toHaveLength(1);
    const again = await play(service, steps(paid, { do: 'pay', order: '$first' }), 'id');
    expect(again.json.message).toBe('Langkah 2 (pay): Tidak bisa dilakukan: pesanan ini PAID / Proses.');
  });
});

describe('an invalid file', () => {
  it.each<[object, string]>([
    [{ document: '{' }, 'must be valid JSON'],
    [{ document: '[]' }, 'must be a JSON object with a list named steps'],
    [{ steps: [], format: 1 }, 'There is no parameter format. The parameters are steps.'],
    [{ steps: 'all' }, 'must be a JSON object with a list named steps'],
    [{ steps: [paid, 'pay'] }, 'Step 2 must be an object with a string "do"'],
    [{ steps: [paid, { event: 'order.paid' }] }, 'Step 2 must be an object with a string "do"'],
    [{ steps: [{ ...paid, as: 'a b' }] }, 'Step 1 must be an object with a string "do"'],
    [{ steps: [paid, { do: 'buy' }] }, 'Step 2 (buy): Unknown step. The steps are faults, add-fault,'],
    [{ steps: [paid, { do: 'play' }] }, 'Step 2 (play): Unknown step.'],
    [{ steps: [paid, { do: 'toString' }] }, 'Step 2 (toString): Unknown step.'],
    [{ steps: [paid, { do: 'pay' }] }, 'Step 2 (pay): The order field is required.'],
    [
      { steps: [paid, { do: 'pay', ordre: '$first' }] },
      'There is no parameter ordre. The parameters are order.',
    ],
    [{ steps: [paid, { do: 'pay', order: '$second' }] }, 'Step 2 (pay): No earlier step has "as": "second".'],
    [
      { steps: [paid, { do: 'advance', by: '2s', as: 'then' }] },
      'Step 2 (advance): This step returns nothing that as could name.',
    ],
    [
      { steps: [paid, { do: 'scenario', name: 'rain' }] },
      'Step 2 (scenario): The name field must be one of none,',
    ],
  ])('rejects %o before any step: %s', async (body, words) => {
    const service = await createTestService();
    const { status, json } = await play(service, body);
    expect([status, json.message]).toEqual([422, expect.stringContaining(words)]);
    expect(await service.store.listOrders({ limit: 1 })).toEqual([]);
  });
});

describe('the webhooks and requests that a file expects', () => {
  it('counts what was sent by type, order, status and fault', async () => {
    const service = await createTestService();
    const { webhooks } = service.sandbox;
    webhooks.deliverTo(() => new Response(null, { status: 204 }));
    const { json } = await play(
      service,
      steps(
        { do: 'fault-webhook', fault: 'twice', times: 1 },
        { ...paid, as: 'first' },
        { ...paid, as: 'second' },
        { do: 'expect-webhooks', type: 'order.paid' },
        { do: 'expect-webhooks', type: 'order.paid', times: 2 },
        { do: 'expect-webhooks', type: 'order.paid', order: '$first', status: 204, times: 1 },
        { do: 'expect-webhooks', fault: 'twice', order: '$first', times: 2 },
        { do: 'expect-webhooks', fault: 'twice', order: '$second', times: 0 },
        { do: 'expect-webhooks', status: 500, times: 0 },
      ),
    );
    expect(json).toMatchObject({ success: true, data: { steps: 9 } });
  });

  it('continues when a receiver throws, and counts undelivered events only if they are lost', async () => {
    const service = await createTestService();
    service.sandbox.webhooks.deliverTo(() => {
      throw new Error('The shop is closed.');
    });
    service.sandbox.webhooks.fault('lost');
    const { status } = await play(
      service,
      steps(
        paid,
        { do: 'expect-webhooks', times: 1 },
        { do: 'expect-webhooks', fault: 'lost', times: 1 },
        { do: 'expect-webhooks', type: 'order.paid', times: 0 },
      ),
    );
    expect(status).toBe(200);
  });

  it('counts requests since the last reset', async () => {
    const service = await createTestService();
    const expected = (times: number) => ({ do: 'expect-requests', operation: 'createOrder', times });
    await service.order();
    await service.order({});
    const first = await play(
      service,
      steps(expected(2), { do: 'expect-requests', status: 422, times: 1 }, { do: 'reset' }, expected(0)),
    );
    expect(first.json).toMatchObject({ success: true });
    await service.order();
    expect((await play(service, steps(expected(1)))).status).toBe(200);
  });
});
