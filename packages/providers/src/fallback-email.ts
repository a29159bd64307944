import type { ProviderSetting } from './provider.ts';

/** The e-mail address of orders without one, at a provider that requires it. */
export const fallbackEmailSetting = (name: string, title: string) =>
  ({
    name,
    purpose: `e-mail address for orders without one, which ${title} requires`,
    secret: false,
    kind: 'email',
    default: { description: 'customer@ and the host of TOPUP_PUBLIC_URL' },
  }) as const satisfies ProviderSetting;

/** An address at the shop's own domain, or at a domain that never exists when the server has no domain name. */
export function fallbackEmail(publicUrl: string | undefined): string {
  const host = (publicUrl && URL.parse(publicUrl)?.hostname) || '';
  const isDomain = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(host);
  return `customer@${isDomain ? host : 'shop.invalid'}`;
}
