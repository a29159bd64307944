import { expect, it } from 'vitest';
import { fallbackEmail } from '../src/provider.ts';
import { gatewayNames, providers } from '../src/registry.ts';
import { knownGateways } from './helpers/known-gateways.ts';

const prefixOf = (provider: string): string => provider.toUpperCase().replace('-', '_');

it('names settings after their provider, and uses production by default', () => {
  const texts = providers.flatMap(({ settings }) =>
    settings.flatMap(({ name, default: fallback }) =>
      fallback && 'text' in fallback ? [[name, fallback.text]] : [],
    ),
  );
  expect(Object.fromEntries(texts)).toEqual({
    ...Object.fromEntries(
      gatewayNames.map((name) => [`${prefixOf(name)}_BASE_URL`, knownGateways[name].production]),
    ),
    DIGIFLAZZ_BASE_URL: 'https://api.digiflazz.com/v1',
    VIP_RESELLER_BASE_URL: 'https://vip-reseller.co.id/api',
    TOKOVOUCHER_BASE_URL: 'https://api.tokovoucher.net',
  });
  for (const { name: provider, settings } of providers)
    for (const { name } of settings) expect(name).toMatch(new RegExp(`^${prefixOf(provider)}_`));
});

it('treats everything that identifies a customer to a provider as a secret', () => {
  const open = providers.flatMap(({ settings }) =>
    settings.filter(({ secret }) => !secret).map(({ name }) => name),
  );
  expect(open).toEqual([
    ...gatewayNames.flatMap((name) => knownGateways[name].open),
    ...['DIGIFLAZZ_USERNAME', 'DIGIFLAZZ_BASE_URL'],
    ...['VIP_RESELLER_LEVEL', 'VIP_RESELLER_BASE_URL'],
    ...['TOKOVOUCHER_MEMBER_CODE', 'TOKOVOUCHER_LEVEL', 'TOKOVOUCHER_BASE_URL'],
  ]);
});

it.each([
  ['https://shop.example', 'customer@shop.example'],
  ['https://api.shop.example:8443/base', 'customer@api.shop.example'],
  ['http://127.0.0.1:4000', 'customer@shop.invalid'],
  ['http://localhost:4000', 'customer@shop.invalid'],
  ['http://[::1]:4000', 'customer@shop.invalid'],
  [undefined, 'customer@shop.invalid'],
])('gives customers of %s without an e-mail address %s', (publicUrl, email) => {
  expect(fallbackEmail(publicUrl)).toBe(email);
});
