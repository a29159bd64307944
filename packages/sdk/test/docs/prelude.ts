import * as sdk from '@topup-kit/sdk';
import * as proxy from '@topup-kit/sdk/proxy';
import * as worlds from '@topup-kit/sdk/worlds';

const baseUrl = 'http://shop.test/api';

/** The names that examples may use without an import, besides the exports of the entries. */
interface Surroundings {
  baseUrl: string;
  apiKey: string;
  client: sdk.TopupClient;
  request: sdk.CreateOrderRequest;
  /** A key that was saved with the request. */
  idempotencyKey: string;
  /** An order that was paid and delivered. */
  orderId: string;
  /** A caught error. An example that uses it is run with each error of `createErrors`. */
  error: unknown;
  /** The body and the headers of a webhook, and the secret that signed it. */
  body: string;
  headers: Record<string, string>;
  secret: string;
  event: Parameters<typeof sdk.signWebhook>[0];
  logger: sdk.Logger;
  traceparent: string;
  showMessage: (text: string | undefined) => void;
  showFields: (fields: Record<string, string[]> | undefined) => void;
  console: Pick<Console, 'log' | 'warn' | 'error' | 'info' | 'debug'>;
}

export type Prelude = typeof sdk & typeof proxy & typeof worlds & Surroundings;

export const orderRequest = {
  id: '12345678',
  server: '2012',
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  whatsapp: '081234567890',
} satisfies sdk.CreateOrderRequest;

const silent: sdk.Logger = { debug() {}, info() {}, warn() {}, error() {} };

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const event = { type: 'webhook.test', data: { message: 'Hello' } };
const webhook = await sdk.signWebhook(event, webhookSecret);

export const createPrelude = (orderId: string, error: unknown): Prelude => ({
  ...sdk,
  ...proxy,
  ...worlds,
  baseUrl,
  apiKey: 'tk_test_example',
  client: sdk.createTopupClient({ baseUrl }),
  request: orderRequest,
  idempotencyKey: 'cart-17',
  orderId,
  error,
  body: webhook.body,
  headers: webhook.headers,
  secret: webhookSecret,
  event,
  logger: silent,
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  showMessage() {},
  showFields() {},
  console: { ...silent, log() {} },
});

/** The modules that examples may import. */
export const modules: Record<string, () => Promise<unknown>> = {
  '@topup-kit/sdk': async () => sdk,
  '@topup-kit/sdk/light': () => import('@topup-kit/sdk/light'),
  '@topup-kit/sdk/proxy': async () => proxy,
  '@topup-kit/sdk/worlds': async () => worlds,
  '@topup-kit/mock': () => import('@topup-kit/mock'),
  '@topup-kit/mock/in-process': () => import('@topup-kit/mock/in-process'),
  '@topup-kit/mock/conformance': () => import('@topup-kit/mock/conformance'),
  '@topup-kit/server': () => import('@topup-kit/server'),
};
