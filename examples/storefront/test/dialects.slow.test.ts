import { forEachDialect } from '@topup-kit/mock';
import { describe, it } from 'vitest';
import { openGame, unfollowed } from './helpers/dialects.ts';
import { inDrawer, shopForTests } from './helpers/shop.ts';
import { buy, fillCheckout, heading, orderIdOf, says } from './helpers/visitor.ts';

const tools = shopForTests('mock', { width: 360, height: 740 });

forEachDialect((_createMock, name) => {
  if (unfollowed.has(name)) return;
  describe(`on a service with ${name}`, () => {
    it('the shop leads from the catalogue to a delivered order', async () => {
      const page = await openGame(tools, name);
      await fillCheckout(page);
      await buy(page);
      await heading(page, 'Selesaikan pembayaran');
      await says(page, 'Rp 22.000');
      // Nothing is waited for: the orders of a dozen services take long enough.
      await inDrawer(page, async (drawer) => {
        await drawer.getByRole('button', { name: 'Pay' }).click();
        await drawer
          .getByRole('region', { name: 'Orders' })
          .getByText(/PAID . Proses$/)
          .waitFor();
        await drawer.getByRole('button', { name: 'Advance 5m' }).click();
      });
      await says(page, 'Pesanan sudah masuk ke akunmu.');
      await says(page, new RegExp(`SN-${orderIdOf(page)}-1-1`));
    });
  });
});
