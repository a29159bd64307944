import { expect, it } from 'vitest';
import { digiflazz } from '../src/digiflazz/index.ts';
import { webhookSignature } from '../src/digiflazz/signature.ts';
import { gateways, providers } from '../src/registry.ts';
import { tokovoucher } from '../src/tokovoucher/index.ts';
import { referenceSignature } from '../src/tokovoucher/signature.ts';
import { vipReseller } from '../src/vip-reseller/index.ts';
import { constantSignature } from '../src/vip-reseller/signature.ts';
import { knownGateways, type SignedCallback } from './helpers/known-gateways.ts';

const host = { clock: () => 0, publicUrl: undefined };

const delivered = JSON.stringify({ data: { ref_id: 'INV-1-1-1', status: 'Sukses', rc: '00', sn: 'SN' } });

/** Each provider with its required settings, the secret of its callbacks, and a callback signed by such a secret. */
const rotations = [
  ...gateways.map((provider) => ({ provider, ...knownGateways[provider.name].callback })),
  {
    provider: digiflazz,
    values: { DIGIFLAZZ_USERNAME: 'u', DIGIFLAZZ_API_KEY: 'key', DIGIFLAZZ_BASE_URL: 'https://x.example' },
    secret: 'DIGIFLAZZ_WEBHOOK_SECRET',
    sign: (secret: string): SignedCallback => ({
      headers: { 'x-hub-signature': webhookSignature(secret, delivered) },
      body: delivered,
    }),
  },
  {
    provider: vipReseller,
    values: { VIP_RESELLER_API_ID: 'id', VIP_RESELLER_BASE_URL: 'https://x.example' },
    secret: 'VIP_RESELLER_API_KEY',
    sign: (secret: string): SignedCallback => ({
      headers: { 'x-client-signature': constantSignature('id', secret) },
      body: JSON.stringify({ data: { trxid: 'V1', status: 'success' } }),
    }),
  },
  {
    provider: tokovoucher,
    values: {
      ...{ TOKOVOUCHER_MEMBER_CODE: 'MEM1', TOKOVOUCHER_SIGNATURE: 'x' },
      TOKOVOUCHER_BASE_URL: 'https://x.example',
    },
    secret: 'TOKOVOUCHER_SECRET',
    sign: (secret: string): SignedCallback => ({
      headers: {
        'x-tokovoucher-authorization': referenceSignature({ memberCode: 'MEM1', secret }, 'INV-1-1-1'),
      },
      body: JSON.stringify({ ref_id: 'INV-1-1-1', status: 'sukses' }),
    }),
  },
];

/** What comes of a callback that is signed with each of the secrets. */
function statesOf(index: number, previous: string | undefined, secrets: readonly string[]): string[] {
  const { provider, values, secret, sign } = rotations[index] ?? expect.fail('no such provider');
  const settings = new Map(Object.entries({ ...values, [secret]: 'the new secret' }));
  if (previous !== undefined) settings.set(`${secret}_PREVIOUS`, previous);
  const { callbacks } = provider.create(settings, host);
  return secrets.map((one) => {
    const { headers, body } = sign(one);
    const reading = callbacks?.read({ headers, body: new TextEncoder().encode(body) });
    return reading?.state ?? expect.fail('it receives no callbacks');
  });
}

it.each(rotations.map(({ secret }, index) => [secret, index] as const))(
  'accepts callbacks signed with %s or with its previous value while that value is set, and no others',
  (_secret, index) => {
    const secrets = ['the new secret', 'the old secret', 'another secret', ''];
    expect(statesOf(index, 'the old secret', secrets)).toEqual(['event', 'event', 'rejected', 'rejected']);
    expect(statesOf(index, undefined, secrets)).toEqual(['event', 'rejected', 'rejected', 'rejected']);
  },
);

it('has an optional secret setting for the previous callback secret of each provider', () => {
  const all = providers.flatMap(({ settings }) => settings);
  expect(all.filter(({ previousOf }) => previousOf !== undefined)).toMatchObject(
    rotations.map(({ secret }) => ({
      ...{ name: `${secret}_PREVIOUS`, previousOf: secret, secret: true, default: { description: 'none' } },
    })),
  );
});
