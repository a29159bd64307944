import { type ProviderSetting, type SettingValues, setting } from '../provider.ts';

/** The price levels of a service; an account pays its level's price. */
export const levels = ['basic', 'premium', 'special'] as const;

export const vipResellerSettings = {
  apiId: setting.secret('VIP_RESELLER_API_ID', 'API id, half of every signature', 'id1'),
  apiKey: setting.secret('VIP_RESELLER_API_KEY', 'API key', 'key1'),
  level: {
    name: 'VIP_RESELLER_LEVEL',
    purpose: 'account level, which determines its prices: basic, premium or special',
    secret: false,
    kind: levels,
    default: { description: 'none: the server uses the highest of the three prices' },
  },
  previousApiKey: setting.previous('VIP_RESELLER_API_KEY'),
  baseUrl: setting.url('VIP_RESELLER_BASE_URL', 'https://vip-reseller.co.id/api'),
} as const satisfies Record<string, ProviderSetting>;

export type VipResellerSettings = SettingValues<typeof vipResellerSettings>;
