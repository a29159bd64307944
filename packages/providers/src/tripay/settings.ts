import { fallbackEmailSetting } from '../fallback-email.ts';
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
  fallbackEmail: fallbackEmailSetting('TRIPAY_FALLBACK_EMAIL', 'Tripay'),
} as const satisfies Record<string, ProviderSetting>;

export type TripaySettings = SettingValues<typeof tripaySettings> & { fallbackEmail: string };
