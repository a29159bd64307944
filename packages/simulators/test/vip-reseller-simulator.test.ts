import { createHash } from 'node:crypto';
import { constantSignature } from '@topup-kit/providers/vip-reseller/signature';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSimulated } from './helpers/simulators.ts';

const checkedSign = 'b157f66e7159abe523a88b0028d80694';

let vip: Awaited<ReturnType<typeof startSimulated>>;
beforeEach(async () => {
  vip = await startSimulated('vip-reseller');
});
afterEach(() => vip[Symbol.asyncDispose]());

async function post(path: string, form: Record<string, string>) {
  const response = await fetch(vip.baseUrl + path, {
    method: 'POST',
    body: new URLSearchParams({ key: 'key1', sign: checkedSign, ...form }),
  });
  return JSON.parse(await response.text());
}

const ask = (form: Record<string, string>) => post('/game-feature', form);

const order = (more: Record<string, string> = {}) =>
  ask({ type: 'order', service: 'ML86', data_no: '12345678', data_zone: '2012', ...more });

const balance = async (): Promise<number> => (await post('/profile', {})).data.balance;

const webhooks = () => vip.shop.received.map(({ body }) => JSON.parse(body).data);

it("signs VIP Reseller's id and key as a constant", () => {
  expect(constantSignature('id1', 'key1')).toBe(checkedSign);
  expect(createHash('md5').update('id1key1').digest('hex')).toBe(checkedSign);
});

describe('an order of the VIP Reseller simulator', () => {
  it('returns a waiting order with an id, which is the only way to find the order again', async () => {
    const { result, data, message } = await order();

    expect({ result, message }).toEqual({ result: true, message: expect.any(String) });
    expect(data).toMatchObject({
      ...{
        trxid: expect.any(String),
        status: 'waiting',
        note: '',
        price: 20_400,
        balance: 10_000_000 - 20_400,
      },
    });
  });

  it('processes an order and then completes it, with the serial number as the note', async () => {
    const { trxid } = (await order()).data;
    const status = async () => (await ask({ type: 'status', trxid })).data;

    expect(await status()).toEqual([expect.objectContaining({ trxid, status: 'waiting' })]);
    await vip.advance(2);
    expect(await status()).toMatchObject([{ status: 'processing' }]);
    await vip.advance(3);
    expect(await status()).toMatchObject([{ status: 'success', note: expect.stringMatching(/./) }]);
    expect(await vip.books()).toMatchObject({ orders: [{ data: '12345678', zone: '2012' }], spent: 20_400 });
  });

  it('creates a new order each time, because orders have no reference of the shop', async () => {
    expect((await order()).data.trxid).not.toBe((await order()).data.trxid);
    expect(await vip.books()).toMatchObject({ orders: [{}, {}], spent: 40_800 });
  });

  it('pays a failed order back', async () => {
    await vip.act('plan', { outcome: 'failed' });
    const { trxid } = (await order()).data;
    await vip.advance(5);

    expect((await ask({ type: 'status', trxid })).data).toMatchObject([{ status: 'error' }]);
    expect(await balance()).toBe(10_000_000);
  });

  it.each([
    ['a wrong sign', { sign: 'none' }],
    ['a wrong key', { key: 'none' }],
    ['an unknown service', { service: 'none' }],
    ['no target', { data_no: '' }],
  ])('rejects an order with %s, and buys nothing', async (_what, more) => {
    expect(await order(more)).toMatchObject({ result: false, message: expect.any(String) });
    expect(await vip.books()).toMatchObject({ orders: [], balance: 10_000_000 });
  });

  it.each([
    ['service', { code: 'ML86', status: 'empty' }],
    ['balance', { balance: 20_399 }],
  ])("rejects an order if the %s doesn't allow it", async (action, state) => {
    await vip.act(action, state);

    expect(await order()).toMatchObject({ result: false });
  });

  it('buys an order whose response is lost, under an unknown id', async () => {
    await vip.fault('lost-response', { on: 'order' });

    await expect(order()).rejects.toThrow();
    expect((await vip.books()).orders).toHaveLength(1);
  });

  it("charges the price of the account's level", async () => {
    await vip.act('level', { level: 'special' });

    expect((await order()).data.price).toBe(20_000);
    expect(await balance()).toBe(10_000_000 - 20_000);
  });

  it('charges 1 rupiah more than listed with the fault wrong-amount', async () => {
    await vip.fault('wrong-amount');

    expect((await order()).data.price).toBe(20_401);
  });
});

describe('look-ups of the VIP Reseller simulator', () => {
  it('lists services with three prices, by game and status', async () => {
    await vip.act('service', { code: 'ML86', status: 'empty' });
    const codes = async (filter: Record<string, string>) =>
      (await ask({ type: 'services', ...filter })).data.map(({ code }: { code: string }) => code);

    expect((await ask({ type: 'services' })).data[0].price).toEqual({
      ...{ basic: 20_400, premium: 20_200, special: 20_000 },
    });
    expect(await codes({ filter_game: 'Mobile Legends' })).toEqual(['ML86', 'ML172']);
    expect(await codes({ filter_game: 'Mobile Legends', filter_status: 'available' })).toEqual(['ML172']);
  });

  it.each(['mobile-legends', 'free-fire', 'pubgm', 'valorant', 'genshin-impact'])(
    'returns nicknames of players of %s',
    async (code) => {
      const nickname = (target: string) =>
        ask({ type: 'get-nickname', code, target, additional_target: '2012' });

      expect(await nickname('12345678')).toMatchObject({ result: true, data: expect.any(String) });
      expect(await nickname('00000000')).toMatchObject({ result: false });
    },
  );

  it('rejects any other type and any other order', async () => {
    expect(await ask({ type: 'none' })).toMatchObject({ result: false });
    expect(await ask({ type: 'status', trxid: 'none' })).toMatchObject({ result: false });
  });
});

describe('a webhook of the VIP Reseller simulator', () => {
  it('sends a webhook for each new status, with the constant as its signature', async () => {
    await order();
    await vip.advance(5);

    expect(webhooks().map(({ status }) => status)).toEqual(['processing', 'success']);
    expect(new Set(vip.shop.received.map(({ headers }) => headers['x-client-signature']))).toEqual(
      new Set([checkedSign]),
    );
  });

  it('can contradict or lose an earlier webhook, because each webhook is sent only once', async () => {
    vip.shop.answer.status = 500;
    const { trxid } = (await order()).data;
    await vip.advance(5);
    await vip.act('resolve', { trxid, status: 'error' });
    await vip.advance(86_400);

    expect(webhooks().map(({ status }) => status)).toEqual(['processing', 'success', 'error']);
    expect(await balance()).toBe(10_000_000);
  });
});

it('shows no key in the journal of calls, because it may be a real key', async () => {
  await ask({ type: 'services', key: 'a real key' });

  const [call] = await vip.calls();
  expect(call).toMatchObject({ operation: 'services', body: expect.stringMatching(/^key=\*\*\*&sign=/) });
});
