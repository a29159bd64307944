import type { RemoteGateway } from '@topup-kit/core/gateway';
import { describe, it } from 'vitest';
import { start, startSimulated } from '../../simulators/test/helpers/simulators.ts';
import { type FakeGateway, gatewayCases } from '../../suites/src/gateway.ts';
import { createDuitkuGateway } from '../src/duitku/adapter.ts';
import { createMidtransGateway } from '../src/midtrans/adapter.ts';
import { type GatewayName, gatewayNames } from '../src/registry.ts';
import { createTripayGateway } from '../src/tripay/adapter.ts';
import { callbackOf, requestOf } from './helpers/gateways.ts';

const keys = {
  tripay: ['DEV-simulated-api-key', 'ytf6ooi2gmlNPfpchd94jDOk8hRWOu'],
  midtrans: ['askvnoibnosifnboseofinbofinfgbiufglnbfg'],
  duitku: ['key'],
} as const;

/** The requests that create a payment. */
const creates = { tripay: 'create', midtrans: 'charge', duitku: 'create' };

const gateways = {
  tripay: (baseUrl: string): RemoteGateway =>
    createTripayGateway({
      ...{ apiKey: keys.tripay[0], privateKey: keys.tripay[1], merchantCode: 'T0001' },
      ...{ baseUrl, fallbackEmail: 'orders@shop.example' },
    }),
  midtrans: (baseUrl: string): RemoteGateway =>
    createMidtransGateway(
      { serverKey: keys.midtrans[0], signatureKey: keys.midtrans[0], baseUrl },
      { clock: () => start },
    ),
  duitku: (baseUrl: string): RemoteGateway =>
    createDuitkuGateway(
      {
        ...{ apiKey: keys.duitku[0], merchantCode: 'D0001', baseUrl },
        ...{ fallbackEmail: 'orders@shop.example', publicUrl: 'https://shop.example' },
      },
      { clock: () => start },
    ),
} satisfies Record<GatewayName, (baseUrl: string) => RemoteGateway>;

const faults = { 'lost-response': 'lost-response', 'error-500': 'error-500', 'no-response': 'slow' };

async function startFake(name: GatewayName): Promise<FakeGateway> {
  const simulated = await startSimulated(name);
  return {
    gateway: gateways[name](simulated.baseUrl),
    request: requestOf(),
    rejected: requestOf({ amount: 0, items: [] }),
    secrets: keys[name],
    showsAgain: name !== 'duitku',
    fail: async (fault) => void (await simulated.fault(faults[fault], { on: creates[name] })),
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
