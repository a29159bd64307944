import { type ProviderSetting, type SettingValues, setting } from '../provider.ts';

export const digiflazzSettings = {
  username: setting.required('DIGIFLAZZ_USERNAME', 'user name of the buyer'),
  apiKey: setting.secret(
    'DIGIFLAZZ_API_KEY',
    'API key; production and development have separate keys',
    'apikey',
  ),
  webhookSecret: setting.secret(
    'DIGIFLAZZ_WEBHOOK_SECRET',
    'secret that signs the webhook',
    'somesecretvalue',
  ),
  previousWebhookSecret: setting.previous('DIGIFLAZZ_WEBHOOK_SECRET'),
  baseUrl: setting.url('DIGIFLAZZ_BASE_URL', 'https://api.digiflazz.com/v1'),
} satisfies Record<string, ProviderSetting>;

export type DigiflazzSettings = SettingValues<typeof digiflazzSettings>;
