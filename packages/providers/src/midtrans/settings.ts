import { type ProviderSetting, type SettingValues, setting } from '../provider.ts';

export const midtransSettings = {
  serverKey: setting.secret(
    'MIDTRANS_SERVER_KEY',
    'server key of the merchant',
    'askvnoibnosifnboseofinbofinfgbiufglnbfg',
  ),
  signatureKey: {
    name: 'MIDTRANS_SIGNATURE_KEY',
    purpose: 'key that signs notifications, if the dashboard shows a separate key',
    secret: true,
    kind: 'text',
    default: { description: 'MIDTRANS_SERVER_KEY' },
  },
  previousSignatureKey: setting.previous('MIDTRANS_SIGNATURE_KEY'),
  baseUrl: setting.url('MIDTRANS_BASE_URL', 'https://api.midtrans.com', 'URL of the Core API'),
} as const satisfies Record<string, ProviderSetting>;

export type MidtransSettings = SettingValues<typeof midtransSettings> & { signatureKey: string };
