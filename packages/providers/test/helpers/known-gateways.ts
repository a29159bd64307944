import type { RemoteGateway } from '@topup-kit/core/gateway';
import { createDuitkuGateway } from '../../src/duitku/adapter.ts';
import { methods } from '../../src/duitku/methods.ts';
import { callbackSignature as duitkuSignature } from '../../src/duitku/signature.ts';
import { charges, createMidtransGateway } from '../../src/midtrans/adapter.ts';
import { notificationSignature } from '../../src/midtrans/signature.ts';
import type { GatewayName } from '../../src/registry.ts';
import { createTripayGateway } from '../../src/tripay/adapter.ts';
import { channels } from '../../src/tripay/channels.ts';
import { callbackSignature } from '../../src/tripay/signature.ts';

/** A callback as a provider signs it with a secret. */
export interface SignedCallback {
  headers: Record<string, string>;
  body: string;
}

/** What tests know of a gateway. */
interface KnownGateway {
  /** Its address in production. */
  production: string;
  /** Its settings that are no secrets. */
  open: readonly string[];
  /** The codes of its payment methods. */
  methods: readonly string[];
  /** The keys that its simulator accepts. */
  keys: readonly string[];
  /** The names of its requests; null if it has no such request. */
  requests: Readonly<Record<'create' | 'look-up' | 'pay', string | null>>;
  /** Whether it can find a payment whose response was lost. */
  showsAgain: boolean;
  /** Whether it knows, when it is asked, at what time a payment was made. */
  tellsTime: boolean;
  /** Its adapter, with another key if one is given. */
  create(host: { baseUrl: string; clock: () => number; key?: string | undefined }): RemoteGateway;
  /** Its required settings but the secret of its callbacks, and a callback signed by such a secret. */
  callback: {
    values: Readonly<Record<string, string>>;
    secret: string;
    sign(secret: string): SignedCallback;
  };
}

const fallbackEmail = 'orders@shop.example';
const serverKey = 'askvnoibnosifnboseofinbofinfgbiufglnbfg';
const privateKey = 'ytf6ooi2gmlNPfpchd94jDOk8hRWOu';

/** All that the tests of every gateway need of each one. A new gateway gets its entry here. */
export const knownGateways: Readonly<Record<GatewayName, KnownGateway>> = {
  tripay: {
    production: 'https://tripay.co.id/api',
    open: ['TRIPAY_MERCHANT_CODE', 'TRIPAY_BASE_URL', 'TRIPAY_FALLBACK_EMAIL'],
    methods: channels.map(({ code }) => code),
    keys: ['DEV-simulated-api-key', privateKey],
    requests: { create: 'create', 'look-up': null, pay: 'pay' },
    showsAgain: true,
    tellsTime: true,
    create: ({ baseUrl, key: apiKey = 'DEV-simulated-api-key' }) =>
      createTripayGateway({ apiKey, privateKey, merchantCode: 'T0001', baseUrl, fallbackEmail }),
    callback: {
      values: { TRIPAY_API_KEY: 'key', TRIPAY_MERCHANT_CODE: 'T0001', TRIPAY_BASE_URL: 'https://x.example' },
      secret: 'TRIPAY_PRIVATE_KEY',
      sign(secret) {
        const payment = { reference: 'T1', merchant_ref: 'INV-1', total_amount: 1, paid_at: 1 };
        const body = JSON.stringify({ ...payment, status: 'PAID' });
        const signature = callbackSignature(secret, body);
        return {
          headers: { 'x-callback-event': 'payment_status', 'x-callback-signature': signature },
          body,
        };
      },
    },
  },
  midtrans: {
    production: 'https://api.midtrans.com',
    open: ['MIDTRANS_BASE_URL'],
    methods: [...charges.keys()],
    keys: [serverKey],
    requests: { create: 'charge', 'look-up': 'status', pay: 'pay' },
    showsAgain: true,
    tellsTime: true,
    create: ({ baseUrl, clock, key = serverKey }) =>
      createMidtransGateway({ serverKey: key, signatureKey: serverKey, baseUrl }, { clock }),
    callback: {
      values: { MIDTRANS_SERVER_KEY: 'key', MIDTRANS_BASE_URL: 'https://x.example' },
      secret: 'MIDTRANS_SIGNATURE_KEY',
      sign(secret) {
        const payment = { orderId: 'INV-1', statusCode: '200', grossAmount: '1.00' };
        const signature_key = notificationSignature(secret, payment);
        const body = { order_id: 'INV-1', status_code: '200', gross_amount: '1.00', signature_key };
        return {
          headers: {},
          body: JSON.stringify({ ...body, transaction_id: 'M1', transaction_status: 'settlement' }),
        };
      },
    },
  },
  duitku: {
    production: 'https://passport.duitku.com/webapi/api/merchant',
    open: ['DUITKU_MERCHANT_CODE', 'DUITKU_BASE_URL', 'DUITKU_FALLBACK_EMAIL'],
    methods: [...methods.keys()],
    keys: ['key'],
    requests: { create: 'create', 'look-up': 'status', pay: 'pay' },
    showsAgain: false,
    tellsTime: false,
    create: ({ baseUrl, clock, key: apiKey = 'key' }) =>
      createDuitkuGateway(
        { apiKey, merchantCode: 'D0001', baseUrl, fallbackEmail, publicUrl: 'https://shop.example' },
        { clock },
      ),
    callback: {
      values: { DUITKU_MERCHANT_CODE: 'D0001', DUITKU_BASE_URL: 'https://x.example' },
      secret: 'DUITKU_API_KEY',
      sign(secret) {
        const signature = duitkuSignature(secret, { merchantCode: 'D0001', orderId: 'INV-1', amount: '1' });
        const form = { merchantCode: 'D0001', merchantOrderId: 'INV-1', amount: '1', resultCode: '00' };
        return {
          headers: {},
          body: new URLSearchParams({ ...form, reference: 'D1', signature }).toString(),
        };
      },
    },
  },
};
