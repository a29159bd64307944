import { describe, it } from 'vitest';
import { start, startSimulated } from '../../simulators/test/helpers/simulators.ts';
import { type FakeGateway, gatewayCases } from '../../suites/src/gateway.ts';
import { type GatewayName, gatewayNames } from '../src/registry.ts';
import { callbackOf, requestOf } from './helpers/gateways.ts';
import { knownGateways } from './helpers/known-gateways.ts';

const faults = { 'lost-response': 'lost-response', 'error-500': 'error-500', 'no-response': 'slow' };

async function startFake(name: GatewayName): Promise<FakeGateway> {
  const simulated = await startSimulated(name);
  const { create, keys, requests, showsAgain } = knownGateways[name];
  return {
    gateway: create({ baseUrl: simulated.baseUrl, clock: () => start }),
    request: requestOf(),
    rejected: requestOf({ amount: 0, items: [] }),
    secrets: keys,
    showsAgain,
    fail: async (fault) => void (await simulated.fault(faults[fault], { on: requests.create })),
    async settle(outcome) {
      const { payments } = await simulated.books();
      for (const { reference, order_id } of payments)
        await simulated.act(outcome === 'paid' ? 'pay' : 'expire', { reference: reference ?? order_id });
      await simulated.advance(0);
    },
    countPayments: async () => (await simulated.books()).payments.length,
    readCallback() {
      const latest = simulated.shop.received.at(-1);
      return latest && callbackOf(latest);
    },
    close: () => simulated[Symbol.asyncDispose](),
  };
}

describe.each(gatewayNames)('the adapter of %s', (name) => {
  for (const { name: behaviour, run } of gatewayCases(() => startFake(name))) it(behaviour, run);
});
