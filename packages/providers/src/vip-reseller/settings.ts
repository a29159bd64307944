import { type ProviderSetting, previousSecret } from '../settings.ts';

export const vipResellerSettings = {
  apiId: {
    name: 'VIP_RESELLER_API_ID',
    purpose: 'API id, half of every signature',
    secret: true,
    kind: 'text',
    default: null,
  },
  apiKey: {
    name: 'VIP_RESELLER_API_KEY',
    purpose: 'API key',
    secret: true,
    kind: 'text',
    default: null,
  },
  previousApiKey: previousSecret('VIP_RESELLER_API_KEY'),
  baseUrl: {
    name: 'VIP_RESELLER_BASE_URL',
    purpose: 'URL of the API',
    secret: false,
    kind: 'url',
    default: { text: 'https://vip-reseller.co.id/api' },
  },
} as const satisfies Record<string, ProviderSetting>;
