import type { CallbackReceiver } from '@topup-kit/core/callback';
import type { PaymentCallback, PaymentGateway, PaymentReport } from '@topup-kit/core/gateway';
import type { DeliveryCallback, PurchaseResult, Supplier } from '@topup-kit/core/supplier';

/** Behaviour of the providers until the next change. */
export interface Weather {
  /** Result of a new payment: created; created, but the response is lost; not created, because the request is lost; rejected. */
  create: 'works' | 'lost' | 'never' | 'rejected';
  /** True if the gateway responds to requests about its payments. */
  look: boolean;
  /**
   * Result of a purchase. `partly`: every second item fails at its first attempt. `lost`: the item is bought, but the response is lost.
   * `silent`: the supplier receives nothing. `busy`: it fails for a temporary reason. `broke`: it waits for the balance.
   */
  supply: 'delivered' | 'failed' | 'partly' | 'pending' | 'lost' | 'silent' | 'busy' | 'broke';
}

/** Properties of a world that stay the same. */
export interface Place {
  gateway: 'local' | 'remote';
  findBy: Supplier['abilities']['findBy'];
  /** Seed for the ids, and for the order of simultaneous steps. */
  seed: number;
}

/** Reason of a rejection by the simulated providers, which the service includes in the error that it reports. */
export const simulatedReason = 'by the simulation';

/** Failure that the simulation caused: of a provider, or of a killed process. */
export class SimulatedFault extends Error {
  override readonly name = 'SimulatedFault';
}

/** Data that a gateway stores about a payment. */
export interface BookedPayment {
  reference: string;
  orderId: string;
  amount: number;
  /** Events of the payment. A request returns only the first event. */
  events: { status: 'paid' | 'failed' | 'expired' | 'refunded'; amount: number; at: number }[];
}

const receiver = <Content>(): CallbackReceiver<Content> => ({
  // Safe: only the simulation sends these bodies.
  read: ({ body }) => ({ state: 'event', event: JSON.parse(new TextDecoder().decode(body)) as Content }),
  respond: (outcome) => ({ status: outcome === 'failed' ? 503 : 200, body: { outcome } }),
});

/** Creates the providers with their books. */
export function createProviders({ gateway: kind, findBy }: Place) {
  const weather: Weather = { create: 'works', look: true, supply: 'delivered' };
  const payments = new Map<string, BookedPayment>();
  const purchases = new Map<string, PurchaseResult>();
  /** References that were received twice. Some suppliers would deliver these twice. */
  const repeated: string[] = [];

  function book(orderId: string, amount: number): { reference: string; code: string; url: string } {
    const reference = `PAY-${payments.size + 1}`;
    payments.set(reference, { reference, orderId, amount, events: [] });
    return { reference, code: reference, url: `https://gateway.test/${reference}` };
  }

  function lookUp(): void {
    if (!weather.look) throw new SimulatedFault('the gateway is down');
  }

  const remote: PaymentGateway = {
    kind: 'remote',
    name: 'paygate',
    sandbox: true,
    async createPayment({ orderId, amount }) {
      if (weather.create === 'rejected') return { rejected: simulatedReason };
      if (weather.create === 'never') throw new SimulatedFault('the request is lost');
      const created = book(orderId, amount);
      if (weather.create === 'lost') throw new SimulatedFault('the response is lost');
      return created;
    },
    async findPayment({ orderId }) {
      lookUp();
      const found = [...payments.values()].find((one) => one.orderId === orderId);
      if (!found) return { state: 'absent' };
      const { reference } = found;
      return {
        state: 'found',
        payment: { reference, code: reference, url: `https://gateway.test/${reference}` },
      };
    },
    async checkPayment({ reference }): Promise<PaymentReport> {
      lookUp();
      return payments.get(reference)?.events[0] ?? { status: 'open' };
    },
    callbacks: receiver<PaymentCallback>(),
  };
  const local: PaymentGateway = {
    kind: 'local',
    name: 'paygate',
    sandbox: true,
    createPayment: ({ orderId, amount }) => book(orderId, amount),
  };

  function outcomeOf(reference: string): PurchaseResult {
    const fails = weather.supply === 'failed' || (weather.supply === 'partly' && /-2-1$/.test(reference));
    if (fails) return { state: 'failed', reason: simulatedReason };
    if (weather.supply === 'busy') return { state: 'failed', reason: simulatedReason, isTemporary: true };
    if (weather.supply === 'pending') return { state: 'pending' };
    return { state: 'delivered', serialNumber: `SN-${reference}` };
  }

  const supplier: Supplier = {
    name: 'depot',
    sandbox: true,
    abilities: { findBy, findIntervalMs: 0, referenceLifetimeMs: null },
    async submit({ reference }) {
      if (weather.supply === 'silent') throw new SimulatedFault('the request is lost');
      if (weather.supply === 'broke')
        return { state: 'pending', waitsFor: 'balance', reason: simulatedReason };
      if (purchases.has(reference)) repeated.push(reference);
      const outcome = { ...outcomeOf(reference), supplierId: `T-${reference}` };
      purchases.set(reference, outcome);
      if (weather.supply === 'lost') throw new SimulatedFault('the response is lost');
      return outcome;
    },
    async find({ reference, supplierId }) {
      if (findBy === 'none' || (findBy === 'supplierId' && supplierId !== `T-${reference}`))
        throw new SimulatedFault('a question that this supplier does not understand');
      if (weather.supply === 'silent') throw new SimulatedFault('the supplier is down');
      const known = purchases.get(reference);
      if (!known) return { state: 'absent' };
      if (known.state !== 'pending') return known;
      const outcome = { ...outcomeOf(reference), supplierId: `T-${reference}` };
      purchases.set(reference, outcome);
      return outcome;
    },
    callbacks: receiver<DeliveryCallback>(),
  };
  return { weather, payments, purchases, repeated, gateway: kind === 'local' ? local : remote, supplier };
}
