import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../src/app/index.ts';
import { callbackGateway } from './helpers/providers.ts';
import { supplierThat } from './helpers/supplier.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const minute = 60_000;
const hour = 60 * minute;

type Service = Awaited<ReturnType<typeof createTestService>>;

/** What an administrator does, or a time server: the time that passes is not changed by it. */
function setBack({ clock }: Service, by: number): void {
  clock.now -= by;
  clock.setBack += by;
}

const withoutPromo = { ...fixtureOrder, promo_code: undefined };

describe('after the clock of the machine was set back', () => {
  it('ends a rate limit after its minute, and reports its end correctly, when the clock was set back', async () => {
    const service = await createTestService({
      settings: { limits: { ...defaultLimits, readsPerMinute: 1, ordersPerMinute: 0 } },
    });
    expect((await service.get('/games')).status).toBe(200);
    setBack(service, hour);
    const limited = await service.get('/games');
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '60']);
    service.clock.now += minute;
    expect((await service.get('/games')).status).toBe(200);
  });

  it('looks up a pending purchase again when the clock was set back', async () => {
    const asked: string[] = [];
    const supplier = supplierThat({
      async find({ reference }) {
        asked.push(reference);
        return { state: 'delivered', serialNumber: 'SN-1' };
      },
    });
    const service = await createTestService({ supplier });
    const { orderId } = (await service.order({ ...withoutPromo, quantity: 1 })).json;
    await service.sandbox.act(orderId, 'pay');
    await service.engine.dueWork.run();
    setBack(service, hour);
    await service.engine.dueWork.run();
    expect(asked).toEqual([`${orderId}-1-1`]);
    expect((await service.store.findOrder(orderId))?.buyStatus).toBe('Sukses');
  });

  it('repeats failed work after a pause when the clock was set back', async () => {
    let tries = 0;
    const { gateway } = callbackGateway({
      createPayment: () => Promise.reject(new Error('down')),
      async findPayment() {
        tries += 1;
        throw new Error('down');
      },
    });
    const service = await createTestService({ gateway });
    await service.order(withoutPromo);
    service.clock.now += minute;
    await service.engine.dueWork.run();
    const before = tries;
    setBack(service, 20_000);
    service.clock.now += 35_000;
    await service.engine.dueWork.run();
    expect(tries).toBe(before + 1);
  });

  it("reads the supplier's list on time when the clock was set back", async () => {
    let reads = 0;
    const supplier = supplierThat({
      async readProducts() {
        reads += 1;
        return [];
      },
    });
    const service = await createTestService({ supplier });
    await service.engine.dueWork.run();
    setBack(service, hour);
    service.clock.now += 10 * minute;
    await service.engine.dueWork.run();
    expect(reads).toBe(2);
  });
});
