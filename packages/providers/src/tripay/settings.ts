import {
  apiUrl,
  type ProviderSetting,
  previousSecret,
  required,
  requiredSecret,
  type SettingValues,
} from '../provider.ts';

export const tripaySettings = {
  apiKey: requiredSecret('TRIPAY_API_KEY', 'API key of the merchant'),
  privateKey: requiredSecret('TRIPAY_PRIVATE_KEY', 'private key, which signs payments and callbacks'),
  previousPrivateKey: previousSecret('TRIPAY_PRIVATE_KEY'),
  merchantCode: required('TRIPAY_MERCHANT_CODE', 'merchant code, such as T0001'),
  baseUrl: apiUrl('TRIPAY_BASE_URL', 'https://tripay.co.id/api'),
  fallbackEmail: {
    name: 'TRIPAY_FALLBACK_EMAIL',
    purpose: 'e-mail address for orders without one, which Tripay requires',
    secret: false,
    kind: 'email',
    default: { description: 'customer@ and the host of TOPUP_PUBLIC_URL' },
  },
} as const satisfies Record<string, ProviderSetting>;

export type TripaySettings = SettingValues<typeof tripaySettings> & { fallbackEmail: string };

/** An address at the shop's own domain, or at a domain that never exists when the server has no domain name. */
export function fallbackEmail(publicUrl: string | undefined): string {
  const host = (publicUrl && URL.parse(publicUrl)?.hostname) || '';
  const isDomain = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(host);
  return `customer@${isDomain ? host : 'shop.invalid'}`;
}
