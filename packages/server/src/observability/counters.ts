import { Counter, Histogram, type Registry } from 'prom-client';
import { type CountRequest, createRequestCounter } from './requests.ts';

export interface Counters {
  countRequest: CountRequest;
  countProviderCall(call: { provider: string; call: string; outcome: string; ms: number }): void;
  /** Counts a commit and its commands. */
  countCommit(commands: number): void;
  countPayment(outcome: string): void;
  countDelivery(outcome: string): void;
}

/** Upper limits of the buckets of a histogram, in seconds. */
const providerSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15];

const commitSizes = [1, 2, 5, 10, 20, 50, 100, 200, 500];

export function createCounters(registry: Registry): Counters {
  const registers = [registry];
  const countRequest = createRequestCounter(registry);
  const providerCalls = new Histogram({
    name: 'topup_provider_call_duration_seconds',
    help: 'Calls to gateways and suppliers by outcome, with their duration.',
    labelNames: ['provider', 'call', 'outcome'],
    buckets: providerSeconds,
    registers,
  });
  const commits = new Histogram({
    name: 'topup_store_commit_commands',
    help: 'Commits of the store by number of commands.',
    buckets: commitSizes,
    registers,
  });
  const payments = new Counter({
    name: 'topup_payment_events_total',
    help: 'Payment events by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const deliveries = new Counter({
    name: 'topup_deliveries_total',
    help: 'Outcomes of attempts to deliver a unit.',
    labelNames: ['outcome'],
    registers,
  });

  return {
    countRequest,
    countProviderCall: ({ provider, call, outcome, ms }) =>
      providerCalls.observe({ provider, call, outcome }, ms / 1_000),
    countCommit: (commands) => commits.observe(commands),
    countPayment: (outcome) => payments.inc({ outcome }),
    countDelivery: (outcome) => deliveries.inc({ outcome }),
  };
}
