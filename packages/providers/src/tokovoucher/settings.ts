import { type ProviderSetting, type SettingValues, setting } from '../provider.ts';

/** The price levels of a product; an account pays its level's price. */
export const levels = ['member', 'gold', 'vip', 'vvip'] as const;
export type Level = (typeof levels)[number];

export const tokovoucherSettings = {
  memberCode: setting.required('TOKOVOUCHER_MEMBER_CODE', 'member code of the buyer'),
  secret: setting.secret('TOKOVOUCHER_SECRET', 'secret that signs purchases and webhooks', 'secret'),
  previousSecret: setting.previous('TOKOVOUCHER_SECRET'),
  signature: setting.secret(
    'TOKOVOUCHER_SIGNATURE',
    'default signature of the member area, for reading prices and balance',
    'simulated-default-signature',
  ),
  level: {
    name: 'TOKOVOUCHER_LEVEL',
    purpose: 'account level, which determines its prices: member, gold, vip or vvip',
    secret: false,
    kind: levels,
    default: { description: 'none: the server uses the highest of the four prices' },
  },
  baseUrl: setting.url('TOKOVOUCHER_BASE_URL', 'https://api.tokovoucher.net'),
} as const satisfies Record<string, ProviderSetting>;

export type TokovoucherSettings = SettingValues<typeof tokovoucherSettings>;
