import { businessError, expectError, expectStatus, nonexistent, promoNotFound } from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import type { RejectedPromos } from '../../fixture.ts';
import { placeOrder } from '../../orders.ts';
import { type Topic, writes } from '../../probe.ts';

const rejected: SpecReference = 'open-points Errors/promo-rejected';
const perCustomer: SpecReference = 'open-points States/Limits-per-customer-use-the-normalised';

/** The error for each reason to reject a promo. */
const reasons: Record<keyof RejectedPromos, Parameters<typeof businessError>> = {
  inactive: ['PROMO_INACTIVE'],
  notStarted: ['PROMO_NOT_STARTED'],
  expired: ['PROMO_EXPIRED'],
  usedUp: ['PROMO_QUOTA'],
  minimum50k: ['PROMO_MINIMUM', { minimum: { money: 50_000 } }],
  otherGame: ['PROMO_NOT_ELIGIBLE', { subject: { subject: 'game' } }],
  otherProduct: ['PROMO_NOT_ELIGIBLE', { subject: { subject: 'product' } }],
  otherMethod: ['PROMO_NOT_ELIGIBLE', { subject: { subject: 'paymentMethod' } }],
};

/** Returns ten random digits, so that runs don't use the same number. */
const freshNumber = (): string => String(crypto.getRandomValues(new Uint32Array(1))[0]).padStart(10, '0');

const reasonCases: Topic = Object.fromEntries(
  Object.entries(reasons).map(([reason, error]) => [
    `a promo is rejected: ${reason}`,
    writes([rejected], async ({ order, need }) => {
      // Safe: the record has exactly these keys.
      const response = await order({ promo_code: need('rejectedPromos')[reason as keyof RejectedPromos] });
      expectError(response, businessError(...error), rejected);
    }),
  ]),
);

export const promoCases: Topic = {
  'a code of no promo is not found, in its words': writes([rejected], async ({ order }) =>
    expectError(await order({ promo_code: nonexistent.promoCode }), promoNotFound, rejected),
  ),
  ...reasonCases,
  'a customer uses a promo once; 08... and 628... are one customer': writes(
    [rejected, perCustomer],
    async (probe) => {
      const promo_code = probe.need('oncePromoCode');
      const number = freshNumber();
      await placeOrder(probe, { promo_code, whatsapp: `08${number}` }, { by: rejected });
      const used = businessError('PROMO_USED');
      for (const prefix of ['08', '628']) {
        const response = await probe.order({ promo_code, whatsapp: prefix + number });
        expectError(response, used, prefix === '08' ? rejected : perCustomer);
      }
      expectStatus(await probe.order({ promo_code, whatsapp: `08${freshNumber()}` }), 201, perCustomer);
    },
  ),
};
