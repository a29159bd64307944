/** What runs in a browser that no test steers: the page posts what it observed to the server that it came from. */
import { createTopupMock } from '@topup-kit/mock';
import { createTopupClient } from '@topup-kit/sdk';
import { setupWorker } from 'msw/browser';
import { mockTarget } from './mock-target.ts';
import { type Observed, observe } from './observe.ts';

/** What a page reports. */
export interface Report extends Observed {
  userAgent: string;
  /** The outcome of an order that the SDK placed and followed. */
  outcome: string;
  /** The code of the error of a client with a key. */
  keyed: string;
}

const order = {
  ...{ id: '12345678', server: '2012', game: 'mobile-legends', product_id: 901, payment_method_id: 12 },
  whatsapp: '081234567890',
};
const mock = createTopupMock({ baseUrl: '/api' });

/** The global fetch, which the service worker responds to, with the key that a proxy would add. */
const keyedFetch = (request: Request): Promise<Response> => {
  request.headers.set('X-API-KEY', mock.apiKey);
  return fetch(request);
};

async function placeOrder(): Promise<string> {
  const client = createTopupClient({ baseUrl: '/api', fetch: keyedFetch });
  const { orderId } = await client.orders.create(order);
  await mock.orders.pay(orderId);
  await mock.clock.advance('2s');
  return (await client.orders.waitFor(orderId)).outcome;
}

function createKeyedClient(): string {
  try {
    createTopupClient({ baseUrl: '/api', apiKey: mock.apiKey });
    return 'none';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

async function report(): Promise<Report> {
  await setupWorker(...mock.handlers).start({ quiet: true, onUnhandledFrame: 'bypass' });
  const outcome = await placeOrder();
  const observed = await observe(
    mockTarget(mock, (input, init) => fetch(input, init)),
    { conformance: true },
  );
  return { ...observed, outcome, keyed: createKeyedClient(), userAgent: navigator.userAgent };
}

const body = await report().then(JSON.stringify, (error: unknown) =>
  JSON.stringify({ error: String(error) }),
);
await fetch('/report', { method: 'POST', body });
