import { type ProviderSetting, type SettingValues, setting } from '../provider.ts';

export const duitkuSettings = {
  apiKey: setting.secret(
    'DUITKU_API_KEY',
    'API key of the project, which signs payments and callbacks',
    'key',
  ),
  previousApiKey: setting.previous('DUITKU_API_KEY'),
  merchantCode: setting.required('DUITKU_MERCHANT_CODE', 'merchant code of the project, such as D0001'),
  baseUrl: setting.url('DUITKU_BASE_URL', 'https://passport.duitku.com/webapi/api/merchant'),
  fallbackEmail: setting.fallbackEmail('DUITKU_FALLBACK_EMAIL', 'Duitku'),
} as const satisfies Record<string, ProviderSetting>;

export type DuitkuSettings = SettingValues<typeof duitkuSettings> & {
  fallbackEmail: string;
  /** URL of the server for callbacks; undefined if none is configured. */
  publicUrl: string | undefined;
};
