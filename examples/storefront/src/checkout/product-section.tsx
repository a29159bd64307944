import { type GameDetail, type Product, unitPrice } from '@topup-kit/sdk';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from '../components/icon.tsx';
import { Picture } from '../components/picture.tsx';
import { rupiah } from '../texts/format.ts';
import { useTexts } from '../texts/use-texts.ts';
import type { Change, Draft, Problems } from './draft.ts';
import { Fold } from './fold.tsx';
import { FormSection, Problem, problemId } from './form-parts.tsx';

const percentOff = (price: number, before: number): string => `−${Math.round(100 - (100 * price) / before)}%`;

/** Maximum number of units that the service accepts in one order (open points: limits). */
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

/** Number of products that a phone shows at first, in addition to the selected product. */
const shownAtFirst = 6;

function ProductCards({ products, ...props }: { products: Product[]; draft: Draft; change: Change }) {
  const { checkout } = useTexts();
  const [showsAll, setShowsAll] = useState(products.length <= shownAtFirst + 2);
  const cards = useRef<HTMLDivElement>(null);
  function showAll() {
    // Rendered immediately, because a hidden element can't take the focus.
    flushSync(() => setShowsAll(true));
    cards.current?.querySelectorAll('input')[shownAtFirst]?.focus();
  }
  return (
    <>
      <div ref={cards} className={showsAll ? 'products' : 'products products-first'}>
        {products.map((product) => (
          <ProductCard key={product.id} product={product} {...props} />
        ))}
      </div>
      {!showsAll && (
        <button type="button" className="button-quiet products-more" onClick={showAll}>
          {checkout.showAll(products.length)}
        </button>
      )}
    </>
  );
}

/** Groups products by category, in the order of the service; within a category, the cheapest comes first. */
const groupByCategory = (products: readonly Product[]): [string, Product[]][] =>
  [...Map.groupBy(products, ({ category }) => category?.title ?? '')].map(([title, inCategory]) => [
    title,
    inCategory.toSorted((a, b) => unitPrice(a) - unitPrice(b)),
  ]);

/** Renders the products of a category, which can be folded below its name. */
function ProductGroup({
  title,
  isFirst,
  ...props
}: {
  title: string;
  products: Product[];
  isFirst: boolean;
  draft: Draft;
  change: Change;
}) {
  const cards = <ProductCards {...props} />;
  if (!title) return cards;
  const chosen = props.products.find(({ id }) => id === props.draft.productId);
  return (
    <Fold
      title={<h3>{title}</h3>}
      chosen={chosen?.title ?? props.products.map((product) => product.title).join(', ')}
      isOpen={isFirst || chosen !== undefined}
    >
      {cards}
    </Fold>
  );
}

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
        {groupByCategory(game.products).map(([title, products], index) => (
          <ProductGroup key={title} {...{ title, products, draft, change }} isFirst={index === 0} />
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
