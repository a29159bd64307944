import { describe, expect, it } from 'vitest';
import { another, place } from '../../suites/src/store/fixtures.ts';
import { callbackGateway, signed } from './helpers/providers.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

/** A gateway that is no sandbox's, and numbers its payments one after the other. It has no page of its own. */
function numberingGateway(over: Parameters<typeof callbackGateway>[0] = {}) {
  let count = 0;
  return callbackGateway({
    sandbox: false,
    async createPayment() {
      count += 1;
      return { reference: `T${count}`, qrString: '00020101021226' };
    },
    ...over,
  });
}

async function start(over: Parameters<typeof callbackGateway>[0] = {}) {
  const service = await createTestService({ gateway: numberingGateway(over).gateway });
  return {
    ...service,
    place: (headers = {}) => service.order({ ...fixtureOrder, promo_code: undefined }, { headers }),
    /** The status of a path below the public URL. */
    async open(path: string): Promise<number> {
      return (await service.app.fetch(new Request(`http://localhost${path}`))).status;
    },
  };
}

const pageOf = (url: string): string => new URL(url).pathname.replace('/qr.svg', '');

describe('with a gateway whose references can be guessed', () => {
  it("gives an order a separate page with over 128 random bits if the gateway's references can be guessed", async () => {
    const { place } = await start();
    const references = new Set<string>();
    for (let count = 0; count < 100; count += 1) {
      const { data } = (await place()).json;
      const [, reference = ''] = /^\/pay\/([A-Za-z0-9]{24})$/.exec(pageOf(data.qr_url)) ?? [];
      expect(data.payment_url).toBe(data.qr_url.replace('/qr.svg', ''));
      // The gateway's stays what a shop and its statements know.
      expect(data.payment_reference).toBe(`T${count + 1}`);
      references.add(reference);
    }
    expect(references.size).toBe(100);
    // Every one of the 24 characters is random: 62 to the power of 24 is over 2 to the power of 142.
    for (let at = 0; at < 24; at += 1)
      expect(new Set([...references].map((one) => one[at])).size).toBeGreaterThan(30);
  });

  it("finds no page by the gateway's reference, and every page by the order's separate reference", async () => {
    const { place, open, engine } = await start();
    const { data, orderId } = (await place()).json;
    const page = pageOf(data.qr_url);
    for (const path of ['/status', '/qr.svg']) {
      expect([path, await open(page + path)]).toEqual([path, 200]);
      expect([path, await open(`/pay/${data.payment_reference}${path}`)]).toEqual([path, 404]);
    }
    expect((await engine.orders.findByPage(page.slice('/pay/'.length)))?.orderId).toBe(orderId);
    expect(await engine.orders.findByPage(data.payment_reference)).toBeNull();
  });

  it("shows the order's page addresses in the invoice and in a replayed response", async () => {
    const { place, get } = await start();
    const key = { 'Idempotency-Key': 'k' };
    const placed = await place(key);
    expect((await place(key)).text).toBe(placed.text);
    const { data, orderId } = placed.json;
    expect((await get(`/invoice/${orderId}`)).json.order).toMatchObject({
      ...{ payment_url: data.payment_url, qr_image_url: data.qr_url },
    });
  });

  it('gives an order a separate page if its payment was found after a lost response', async () => {
    const { place, open } = await start({
      createPayment: () => Promise.reject(new Error('lost')),
      findPayment: async () => ({ state: 'found', payment: { reference: 'T7', qrString: '0002' } }),
    });
    const { data } = (await place()).json;
    expect(data.payment_reference).toBe('T7');
    expect(pageOf(data.qr_url)).toMatch(/^\/pay\/[A-Za-z0-9]{24}$/);
    expect(await open(`${pageOf(data.qr_url)}/status`)).toBe(200);
    expect(await open('/pay/T7/status')).toBe(404);
  });

  it("keeps the customer's link to an order of an earlier version valid", async () => {
    const { store, open } = await start();
    const payment = { ...another('A').payment, reference: 'T41', qrString: '0002' };
    await store.placeOrder(place(another('A', { payment, pageReference: null })));
    expect(await open('/pay/T41/status')).toBe(200);
    expect(await open('/pay/T41/qr.svg')).toBe(200);
  });

  it("matches a callback by the gateway's reference", async () => {
    const { place: buy, callbacks, store, clock } = await start();
    const { data, orderId } = (await buy()).json;
    const pay = async (reference: string) => {
      const report = { status: 'paid', amount: data.total_price, at: clock.now };
      const body = JSON.stringify({ reference, orderId: null, report, confirm: false });
      await callbacks.receive('gateway', 'paygate', signed(body), '203.0.113.7');
      return (await store.findOrder(orderId))?.paymentStatus;
    };
    expect(await pay(pageOf(data.qr_url).slice('/pay/'.length))).toBe('UNPAID');
    expect(await pay(data.payment_reference)).toBe('PAID');
  });
});

it("uses the simulated gateway's references for pages, because these references can't be guessed", async () => {
  const { order, store } = await createTestService();
  const { data, orderId } = (await order()).json;
  expect(data.payment_url).toBe(`http://localhost/pay/${data.payment_reference}`);
  expect((await store.findOrder(orderId))?.pageReference).toBeNull();
});
