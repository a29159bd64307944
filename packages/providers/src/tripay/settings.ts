import { type ProviderSetting, type SettingValues, setting } from '../provider.ts';

export const tripaySettings = {
  apiKey: setting.secret('TRIPAY_API_KEY', 'API key of the merchant', 'DEV-simulated-api-key'),
  privateKey: setting.secret(
    'TRIPAY_PRIVATE_KEY',
    'private key, which signs payments and callbacks',
    'ytf6ooi2gmlNPfpchd94jDOk8hRWOu',
  ),
  previousPrivateKey: setting.previous('TRIPAY_PRIVATE_KEY'),
  merchantCode: setting.required('TRIPAY_MERCHANT_CODE', 'merchant code, such as T0001'),
  baseUrl: setting.url('TRIPAY_BASE_URL', 'https://tripay.co.id/api'),
  fallbackEmail: setting.fallbackEmail('TRIPAY_FALLBACK_EMAIL', 'Tripay'),
} as const satisfies Record<string, ProviderSetting>;

export type TripaySettings = SettingValues<typeof tripaySettings> & { fallbackEmail: string };
