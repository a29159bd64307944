import { type ProviderSetting, previousSecret } from '../provider.ts';

export const midtransSettings = {
  serverKey: {
    name: 'MIDTRANS_SERVER_KEY',
    purpose: 'server key of the merchant',
    secret: true,
    kind: 'text',
    default: null,
  },
  signatureKey: {
    name: 'MIDTRANS_SIGNATURE_KEY',
    purpose: 'key that signs notifications, if the dashboard shows another one for them',
    secret: true,
    kind: 'text',
    default: { description: 'MIDTRANS_SERVER_KEY' },
  },
  previousSignatureKey: previousSecret('MIDTRANS_SIGNATURE_KEY'),
  baseUrl: {
    name: 'MIDTRANS_BASE_URL',
    purpose: 'URL of the Core API',
    secret: false,
    kind: 'url',
    default: { text: 'https://api.midtrans.com' },
  },
} as const satisfies Record<string, ProviderSetting>;
