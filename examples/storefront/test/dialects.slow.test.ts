import { forEachDialect } from '@topup-kit/mock';
import { describe, it } from 'vitest';
import { openGame, withoutDelivery } from './helpers/dialects.ts';
import { inDrawer, shopForTests } from './helpers/shop.ts';
import { buy, expectText, fillCheckout, heading, orderIdOf } from './helpers/visitor.ts';

const tools = shopForTests('mock', { width: 360, height: 740 });

forEachDialect((_createMock, name) => {
  if (withoutDelivery.has(name)) return;
  describe(`on a service with ${name}`, () => {
    it('a visitor gets from the catalogue to a delivered order', async () => {
      const page = await openGame(tools, name);
      await fillCheckout(page);
      await buy(page);
      await heading(page, 'Selesaikan pembayaran');
      await expectText(page, 'Rp 22.000');
      // The clock is advanced instead of waiting: a dozen dialects take long enough.
      await inDrawer(page, async (drawer) => {
        await drawer.getByRole('button', { name: 'Pay' }).click();
        await drawer
          .getByRole('region', { name: 'Orders' })
          .getByText(/PAID . Proses$/)
          .waitFor();
        await drawer.getByRole('button', { name: 'Advance 5m' }).click();
      });
      await expectText(page, 'Pesanan sudah masuk ke akunmu.');
      await expectText(page, new RegExp(`SN-${orderIdOf(page)}-1-1`));
    });
  });
});
