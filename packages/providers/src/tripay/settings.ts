import { type ProviderSetting, previousSecret } from '../provider.ts';

export const tripaySettings = {
  apiKey: {
    name: 'TRIPAY_API_KEY',
    purpose: 'API key of the merchant',
    secret: true,
    kind: 'text',
    default: null,
  },
  privateKey: {
    name: 'TRIPAY_PRIVATE_KEY',
    purpose: 'private key, which signs payments and callbacks',
    secret: true,
    kind: 'text',
    default: null,
  },
  previousPrivateKey: previousSecret('TRIPAY_PRIVATE_KEY'),
  merchantCode: {
    name: 'TRIPAY_MERCHANT_CODE',
    purpose: 'merchant code, such as T0001',
    secret: false,
    kind: 'text',
    default: null,
  },
  baseUrl: {
    name: 'TRIPAY_BASE_URL',
    purpose: 'URL of the API',
    secret: false,
    kind: 'url',
    default: { text: 'https://tripay.co.id/api' },
  },
  fallbackEmail: {
    name: 'TRIPAY_FALLBACK_EMAIL',
    purpose: 'e-mail address for orders without one, which Tripay requires',
    secret: false,
    kind: 'email',
    default: { description: 'customer@ and the host of TOPUP_PUBLIC_URL' },
  },
} as const satisfies Record<string, ProviderSetting>;

/** An address at the shop's own domain, or at a domain that never exists when the server has no domain name. */
export function fallbackEmail(publicUrl: string | undefined): string {
  const host = (publicUrl && URL.parse(publicUrl)?.hostname) || '';
  const isDomain = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(host);
  return `customer@${isDomain ? host : 'shop.invalid'}`;
}
