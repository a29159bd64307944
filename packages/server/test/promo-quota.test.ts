import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { describe, expect, it } from 'vitest';
import { fixtureOrder, startSandbox, temporaryFolder } from './helpers/sandbox.ts';

describe('a promo with a quota of 100', () => {
  it('is used by exactly 100 of 1,000 concurrent orders, over the file store', async () => {
    await using folder = await temporaryFolder();
    const catalog = join(folder.path, 'catalog.json');
    const promo = { code: 'HUNDRED', discount: { type: 'FIXED', value: 1_000 }, quota: 100 };
    await writeFile(catalog, JSON.stringify({ ...Object(sandboxCatalogFile), promos: [promo] }));
    await using server = await startSandbox({
      TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`,
      TOPUP_CATALOG: catalog,
    });
    const order = async (): Promise<string> => {
      const answer = await fetch(`${server.baseUrl}/order`, {
        method: 'POST',
        headers: { 'X-API-KEY': server.sandboxKey ?? '', 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...fixtureOrder, promo_code: 'HUNDRED' }),
      });
      const { message } = await answer.json();
      return `${answer.status} ${message}`;
    };
    const answers = await Promise.all(Array.from({ length: 1_000 }, order));
    const counted = Object.groupBy(answers, (answer) => answer);
    expect(Object.fromEntries(Object.entries(counted).map(([answer, all]) => [answer, all?.length]))).toEqual(
      {
        '201 Pesanan berhasil dibuat.': 100,
        '422 Kuota kode promo sudah habis.': 900,
      },
    );
  }, 60_000);
});
