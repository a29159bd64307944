import {
  apiUrl,
  type ProviderSetting,
  previousSecret,
  required,
  requiredSecret,
  type SettingValues,
} from '../provider.ts';

export const digiflazzSettings = {
  username: required('DIGIFLAZZ_USERNAME', 'user name of the buyer'),
  apiKey: requiredSecret('DIGIFLAZZ_API_KEY', 'API key; production and development have one each'),
  webhookSecret: requiredSecret('DIGIFLAZZ_WEBHOOK_SECRET', 'secret of the webhook, by which it is signed'),
  previousWebhookSecret: previousSecret('DIGIFLAZZ_WEBHOOK_SECRET'),
  baseUrl: apiUrl('DIGIFLAZZ_BASE_URL', 'https://api.digiflazz.com/v1'),
} satisfies Record<string, ProviderSetting>;

export type DigiflazzSettings = SettingValues<typeof digiflazzSettings>;
