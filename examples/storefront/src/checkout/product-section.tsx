import { type GameDetail, type Product, unitPrice } from '@topup-kit/sdk';
import { Icon } from '../components/icon.tsx';
import { Picture } from '../components/picture.tsx';
import { rupiah } from '../texts/format.ts';
import { useTexts } from '../texts/use-texts.ts';
import type { Change, Draft, Problems } from './draft.ts';
import { FormSection, Problem, problemId } from './form-parts.tsx';

const percentOff = (price: number, before: number): string => `−${Math.round(100 - (100 * price) / before)}%`;

/** The most units that the service accepts in one order (open points: limits). */
const maxQuantity = 100;

function ProductCard({ product, draft, change }: { product: Product; draft: Draft; change: Change }) {
  const price = unitPrice(product);
  return (
    <label className="product">
      <input
        type="radio"
        name="product"
        className="hidden"
        disabled={!product.status}
        checked={draft.productId === product.id}
        onChange={() => change({ productId: product.id })}
      />
      <span className="product-card">
        <Picture className="product-picture" src={product.image} />
        <span className="product-title">{product.title}</span>
        <span className="product-price">
          <strong>{rupiah(price)}</strong>
          {price < product.selling_price && (
            <>
              <s>{rupiah(product.selling_price)}</s>
              <em>{percentOff(price, product.selling_price)}</em>
            </>
          )}
        </span>
      </span>
    </label>
  );
}

/** Products by category, in the order of the service; within a category by price, the cheapest first. */
const groupByCategory = (products: readonly Product[]): [string, Product[]][] =>
  [...Map.groupBy(products, ({ category }) => category?.title ?? '')].map(([title, inCategory]) => [
    title,
    inCategory.toSorted((a, b) => unitPrice(a) - unitPrice(b)),
  ]);

type Props = { game: GameDetail; draft: Draft; change: Change; problems: Problems };

export function ProductSection({ game, draft, change, problems }: Props) {
  const { checkout } = useTexts();
  return (
    <FormSection step={2} title={checkout.product}>
      <div
        role="radiogroup"
        id="field-product"
        tabIndex={-1}
        aria-labelledby="step-2"
        aria-describedby={problems.product && problemId('product')}
      >
        {groupByCategory(game.products).map(([title, products]) => (
          <div key={title}>
            {title && <h3>{title}</h3>}
            <div className="products">
              {products.map((product) => (
                <ProductCard key={product.id} {...{ product, draft, change }} />
              ))}
            </div>
          </div>
        ))}
      </div>
      <Problem id="product">{problems.product}</Problem>
      <div className="quantity">
        <label htmlFor="quantity">{checkout.quantity}</label>
        <QuantityButton by={-1} label={checkout.decrease} {...{ draft, change }} />
        <input
          id="quantity"
          inputMode="numeric"
          autoComplete="off"
          value={draft.quantity || ''}
          onChange={({ target }) =>
            change({ quantity: Math.min(maxQuantity, Number(target.value.replace(/\D/g, ''))) })
          }
          onBlur={() => change({ quantity: Math.max(1, draft.quantity) })}
        />
        <QuantityButton by={1} label={checkout.increase} {...{ draft, change }} />
      </div>
    </FormSection>
  );
}

function QuantityButton({
  by,
  label,
  draft,
  change,
}: {
  by: 1 | -1;
  label: string;
  draft: Draft;
  change: Change;
}) {
  const next = draft.quantity + by;
  return (
    <button
      type="button"
      className="button-round"
      aria-label={label}
      disabled={next < 1 || next > maxQuantity}
      onClick={() => change({ quantity: next })}
    >
      <Icon name={by > 0 ? 'plus' : 'minus'} />
    </button>
  );
}
