import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { expect } from 'vitest';
import { fixtureOrder, startSandbox, temporaryFolder } from './sandbox.ts';

/** Places orders with a promo all at once, over the file store, and expects it to be used as often as its quota says. */
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
    const answer = await fetch(`${server.baseUrl}/order`, {
      method: 'POST',
      headers: { 'X-API-KEY': server.sandboxKey ?? '', 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...fixtureOrder, promo_code: 'LIMITED' }),
    });
    const { message } = await answer.json();
    return `${answer.status} ${message}`;
  };
  const answers = await Promise.all(Array.from({ length: orders }, order));
  const counted = Object.groupBy(answers, (answer) => answer);
  expect(Object.fromEntries(Object.entries(counted).map(([answer, all]) => [answer, all?.length]))).toEqual({
    '201 Pesanan berhasil dibuat.': quota,
    '422 Kuota kode promo sudah habis.': orders - quota,
  });
}
