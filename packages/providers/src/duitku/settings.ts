import { fallbackEmailSetting } from '../fallback-email.ts';
import {
  apiUrl,
  type ProviderSetting,
  previousSecret,
  required,
  requiredSecret,
  type SettingValues,
} from '../provider.ts';

export const duitkuSettings = {
  apiKey: requiredSecret('DUITKU_API_KEY', 'API key of the project, which signs payments and callbacks'),
  previousApiKey: previousSecret('DUITKU_API_KEY'),
  merchantCode: required('DUITKU_MERCHANT_CODE', 'merchant code of the project, such as D0001'),
  baseUrl: apiUrl('DUITKU_BASE_URL', 'https://passport.duitku.com/webapi/api/merchant'),
  fallbackEmail: fallbackEmailSetting('DUITKU_FALLBACK_EMAIL', 'Duitku'),
} as const satisfies Record<string, ProviderSetting>;

export type DuitkuSettings = SettingValues<typeof duitkuSettings> & {
  fallbackEmail: string;
  /** URL of the server, to which callbacks go; undefined when none is configured. */
  publicUrl: string | undefined;
};
