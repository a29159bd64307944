import {
  apiUrl,
  type ProviderSetting,
  previousSecret,
  requiredSecret,
  type SettingValues,
} from '../provider.ts';

/** The prices that a service has: an account pays the one of its level. */
export const levels = ['basic', 'premium', 'special'] as const;

export const vipResellerSettings = {
  apiId: requiredSecret('VIP_RESELLER_API_ID', 'API id, half of every signature'),
  apiKey: requiredSecret('VIP_RESELLER_API_KEY', 'API key'),
  level: {
    name: 'VIP_RESELLER_LEVEL',
    purpose: 'level of the account, whose price it pays: basic, premium or special',
    secret: false,
    kind: levels,
    default: { description: 'none: the highest of the three prices counts' },
  },
  previousApiKey: previousSecret('VIP_RESELLER_API_KEY'),
  baseUrl: apiUrl('VIP_RESELLER_BASE_URL', 'https://vip-reseller.co.id/api'),
} as const satisfies Record<string, ProviderSetting>;

export type VipResellerSettings = SettingValues<typeof vipResellerSettings>;
