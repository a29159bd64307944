import type { PaymentMethod, Product } from '@topup-kit/sdk';
import { rupiah } from '../texts/format.ts';
import type { Texts } from '../texts/id.ts';
import { useTexts } from '../texts/use-texts.ts';
import type { Estimate } from './estimate.ts';
import { hasUniqueCode } from './payment-kinds.ts';

interface Props {
  product: Product | undefined;
  method: PaymentMethod | undefined;
  quantity: number;
  price: Estimate | undefined;
}

function feeOf(method: PaymentMethod, { fee }: Estimate, checkout: Texts['checkout']): string {
  if (fee === 0) return checkout.feeFree;
  return method.fee_percent > 0 ? checkout.feeAbout(rupiah(fee)) : rupiah(fee);
}

/** Renders the estimated price of the order, line by line. */
export function Summary({ product, method, quantity, price }: Props) {
  const { checkout, invoice } = useTexts();
  if (!product || !price) return <p className="hint">{checkout.nothingChosen}</p>;
  return (
    <>
      <dl className="lines">
        <div>
          <dt>
            {product.title} × {quantity}
          </dt>
          <dd>{rupiah(price.subtotal)}</dd>
        </div>
        {price.discount > 0 && (
          <div>
            <dt>{checkout.discount}</dt>
            <dd className="good">−{rupiah(price.discount)}</dd>
          </div>
        )}
        {method && (
          <div>
            <dt>
              {checkout.fee} ({method.name})
            </dt>
            <dd>{feeOf(method, price, checkout)}</dd>
          </div>
        )}
        {method && hasUniqueCode(method.group) && (
          <div>
            <dt>{invoice.uniqueCode}</dt>
            <dd>{checkout.uniqueCodeLater}</dd>
          </div>
        )}
        <div className="lines-total">
          <dt>{price.isRough ? checkout.totalAbout : checkout.total}</dt>
          <dd>{rupiah(price.total)}</dd>
        </div>
      </dl>
      {price.isRough && <p className="hint">{checkout.aboutNote}</p>}
    </>
  );
}
