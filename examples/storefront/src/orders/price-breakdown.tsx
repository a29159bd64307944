import type { Pricing } from '@topup-kit/sdk';
import { rupiah } from '../texts/format.ts';
import { useTexts } from '../texts/use-texts.ts';

/** Renders the price as the service computed it (interface 2.4). */
export function PriceBreakdown({ pricing }: { pricing: Pricing }) {
  const { checkout, invoice } = useTexts();
  return (
    <dl className="lines">
      <div>
        <dt>
          {checkout.unitPrice} × {pricing.quantity}
        </dt>
        <dd>{rupiah(pricing.subtotal_before_promo)}</dd>
      </div>
      {pricing.promo_discount > 0 && (
        <div>
          <dt>
            {checkout.discount} ({pricing.promo_code})
          </dt>
          <dd className="good">−{rupiah(pricing.promo_discount)}</dd>
        </div>
      )}
      <div>
        <dt>{checkout.fee}</dt>
        <dd>{pricing.payment_fee > 0 ? rupiah(pricing.payment_fee) : checkout.feeFree}</dd>
      </div>
      {pricing.unique_code > 0 && (
        <div>
          <dt>{invoice.uniqueCode}</dt>
          <dd>{rupiah(pricing.unique_code)}</dd>
        </div>
      )}
      <div className="lines-total">
        <dt>{checkout.total}</dt>
        <dd>{rupiah(pricing.total_price)}</dd>
      </div>
    </dl>
  );
}
