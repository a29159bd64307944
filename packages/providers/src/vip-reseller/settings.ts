import { type ProviderSetting, previousSecret } from '../provider.ts';

/** The prices that a service has: an account pays the one of its level. */
export const levels = ['basic', 'premium', 'special'] as const;

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
  level: {
    name: 'VIP_RESELLER_LEVEL',
    purpose: 'level of the account, whose price it pays: basic, premium or special',
    secret: false,
    kind: levels,
    default: { description: 'none: the highest of the three prices counts' },
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
