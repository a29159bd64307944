import { type ProviderSetting, previousSecret } from '../provider.ts';

export const digiflazzSettings = {
  username: {
    name: 'DIGIFLAZZ_USERNAME',
    purpose: 'user name of the buyer',
    secret: false,
    kind: 'text',
    default: null,
  },
  apiKey: {
    name: 'DIGIFLAZZ_API_KEY',
    purpose: 'API key; production and development have one each',
    secret: true,
    kind: 'text',
    default: null,
  },
  webhookSecret: {
    name: 'DIGIFLAZZ_WEBHOOK_SECRET',
    purpose: 'secret of the webhook, by which it is signed',
    secret: true,
    kind: 'text',
    default: null,
  },
  previousWebhookSecret: previousSecret('DIGIFLAZZ_WEBHOOK_SECRET'),
  baseUrl: {
    name: 'DIGIFLAZZ_BASE_URL',
    purpose: 'URL of the API',
    secret: false,
    kind: 'url',
    default: { text: 'https://api.digiflazz.com/v1' },
  },
} as const satisfies Record<string, ProviderSetting>;
