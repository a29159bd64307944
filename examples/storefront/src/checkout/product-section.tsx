import type { GameDetail, Product } from '@topup-kit/sdk';
import { Icon } from '../components/icon.tsx';
import { Picture } from '../components/picture.tsx';
import { rupiah } from '../texts/format.ts';
import { useWords } from '../texts/use-texts.ts';
import type { Change, Draft, Problems } from './draft.ts';
import { priceOf } from './estimate.ts';
import { Problem, problemId, Section } from './form-parts.tsx';

const percentOff = (price: number, before: number): string => `−${Math.round(100 - (100 * price) / before)}%`;

/** The most that the service takes in one order (open points: limits). */
const most = 100;

function ProductCard({ product, draft, change }: { product: Product; draft: Draft; change: Change }) {
  const price = priceOf(product);
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

/** Products under the headings of their own categories, in the order of the service. */
const grouped = (products: readonly Product[]): [string, Product[]][] => [
  ...Map.groupBy(products, ({ category }) => category?.title ?? ''),
];

type Props = { game: GameDetail; draft: Draft; change: Change; problems: Problems };

export function ProductSection({ game, draft, change, problems }: Props) {
  const { checkout } = useWords();
  return (
    <Section step={2} title={checkout.product}>
      <div
        role="radiogroup"
        id="field-product"
        tabIndex={-1}
        aria-labelledby="step-2"
        aria-describedby={problems.product && problemId('product')}
      >
        {grouped(game.products).map(([title, products]) => (
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
        <Step by={-1} label={checkout.less} {...{ draft, change }} />
        <input
          id="quantity"
          inputMode="numeric"
          autoComplete="off"
          value={draft.quantity || ''}
          onChange={({ target }) =>
            change({ quantity: Math.min(most, Number(target.value.replace(/\D/g, ''))) })
          }
          onBlur={() => change({ quantity: Math.max(1, draft.quantity) })}
        />
        <Step by={1} label={checkout.more} {...{ draft, change }} />
      </div>
    </Section>
  );
}

function Step({ by, label, draft, change }: { by: 1 | -1; label: string; draft: Draft; change: Change }) {
  const next = draft.quantity + by;
  return (
    <button
      type="button"
      className="button-round"
      aria-label={label}
      disabled={next < 1 || next > most}
      onClick={() => change({ quantity: next })}
    >
      <Icon name={by > 0 ? 'plus' : 'minus'} />
    </button>
  );
}
