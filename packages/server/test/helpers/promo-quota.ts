import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { expect } from 'vitest';
import { fixtureOrder, startSandbox, temporaryFolder } from './sandbox.ts';

/** Places many orders with a promo at once, over the file store, and expects exactly as many uses as its quota. */
export async function expectQuotaKept({ quota, orders }: { quota: number; orders: number }): Promise<void> {
  await using folder = await temporaryFolder();
  const catalog = join(folder.path, 'catalog.json');
  const promo = { code: 'LIMITED', discount: { type: 'FIXED', value: 1_000 }, quota };
  await writeFile(catalog, JSON.stringify({ ...Object(sandboxCatalogFile), promos: [promo] }));
  await using server = await startSandbox({
    TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`,
    TOPUP_CATALOG: catalog,
  });
  const order = async (): Promise<string> => {
    const response = await fetch(`${server.baseUrl}/order`, {
      method: 'POST',
      headers: { 'X-API-KEY': server.sandboxKey ?? '', 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...fixtureOrder, promo_code: 'LIMITED' }),
    });
    const { message } = await response.json();
    return `${response.status} ${message}`;
  };
  const outcomes = await Promise.all(Array.from({ length: orders }, order));
  const counted = Object.groupBy(outcomes, (outcome) => outcome);
  expect(Object.fromEntries(Object.entries(counted).map(([outcome, all]) => [outcome, all?.length]))).toEqual(
    {
      '201 Pesanan berhasil dibuat.': quota,
      '422 Kuota kode promo sudah habis.': orders - quota,
    },
  );
}
