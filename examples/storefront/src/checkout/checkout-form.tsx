import { type CheckoutAnswer, isTopupError } from '@topup-kit/sdk';
import { type FormEvent, useState } from 'react';
import { client } from '../client.ts';
import { now, useNow } from '../clock.ts';
import { Icon } from '../components/icon.tsx';
import { faceOf } from '../orders/display-status.ts';
import { orderBook, useOrderBook } from '../orders/placed-orders.ts';
import { accountText } from '../orders/use-order.ts';
import { go, paths } from '../router.ts';
import { rupiah } from '../texts/format.ts';
import { errorWords, useWords } from '../texts/use-texts.ts';
import { useAnswer } from '../use-query.ts';
import { AccountSection, ContactSection } from './customer-sections.tsx';
import { checkDraft, type Problems, refusedFields, useDraft } from './draft.ts';
import { estimate } from './estimate.ts';
import { MethodSection } from './method-section.tsx';
import { ProductSection } from './product-section.tsx';
import { PromoSection, usePromo } from './promo-section.tsx';
import { Summary } from './summary.tsx';
import { useOrderPlacing } from './use-place-order.ts';

/** Leads whoever came back from paying to the order that waits, before there are two. */
function UnpaidNote({ slug }: { slug: string }) {
  const moment = useNow();
  const last = useOrderBook().find((placed) => placed.slug === slug);
  if (!last || Date.parse(last.order.expired_at) <= moment) return null;
  return <WhenUnpaid orderId={last.order.order_id} />;
}

function WhenUnpaid({ orderId }: { orderId: string }) {
  const { checkout } = useWords();
  const { answer } = useAnswer(`state ${orderId}`, (signal) =>
    client.invoices.paymentStatus(orderId, { signal }),
  );
  if (answer.state !== 'ready' || faceOf(answer.data.data) !== 'waiting') return null;
  return (
    <div className="notice">
      <Icon name="clock" />
      <p>
        {checkout.unpaid} <a href={paths.payment(orderId)}>{checkout.payIt}</a>
      </p>
    </div>
  );
}

/** The first field with a problem takes the focus. */
function showFirst(problems: Problems): void {
  const [first] = Object.keys(problems);
  const field = document.getElementById(`field-${first}`);
  (field?.querySelector<HTMLElement>('input:not(:disabled)') ?? field)?.focus();
}

export function CheckoutForm({ answer: { game, paymentMethods } }: { answer: CheckoutAnswer }) {
  const words = useWords();
  const { checkout } = words;
  const [draft, change] = useDraft(game.slug);
  const [tried, setTried] = useState(false);
  const placing = useOrderPlacing();
  const product = game.products.find(({ id }) => id === draft.productId);
  const method = paymentMethods.find(({ id }) => id === draft.methodId);
  const choice =
    product && method
      ? { game_slug: game.slug, product_id: product.id, payment_method_id: method.id }
      : undefined;
  const promo = usePromo(choice);
  const price = product && estimate(product, draft.quantity, method, promo.promo);

  async function buy(sureThat?: { isKnownNotMade: boolean }) {
    setTried(true);
    const found = checkDraft(draft, game, words);
    if (Object.keys(found).length > 0 || !product || !method) return showFirst(found);
    const server = draft.server.trim();
    const request = {
      game: game.slug,
      product_id: product.id,
      payment_method_id: method.id,
      id: draft.id.trim(),
      ...(server && { server }),
      whatsapp: draft.phone.trim(),
      ...(draft.email.trim() && { email: draft.email.trim() }),
      ...(promo.promo && { promo_code: promo.promo.promo.code }),
      quantity: draft.quantity,
    };
    const order = await placing.place(request, sureThat);
    if (!order) return;
    orderBook.add({
      slug: game.slug,
      game: game.title,
      product: product.title,
      productImage: product.image,
      method: method.name,
      account: accountText(draft.id.trim(), server),
      placedAt: now(),
      order,
    });
    go(paths.payment(order.order_id));
  }

  const refused = isTopupError(placing.error, 'VALIDATION_ERROR')
    ? refusedFields(placing.error.fields ?? {}, words)
    : {};
  const shown = { draft, change, problems: { ...refused, ...(tried && checkDraft(draft, game, words)) } };
  const failure =
    Object.keys(shown.problems).length > 0
      ? checkout.check
      : placing.isUncertain
        ? words.errors.ORDER_UNCERTAIN
        : placing.error !== undefined
          ? errorWords(placing.error, words)
          : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    void buy();
  }

  if (!game.status)
    return (
      <div className="notice">
        <Icon name="clock" />
        <p>{checkout.closed}</p>
      </div>
    );
  return (
    <>
      <UnpaidNote slug={game.slug} />
      <form className="checkout" noValidate onSubmit={submit}>
        <div className="steps">
          <AccountSection game={game} {...shown} />
          <ProductSection game={game} {...shown} />
          <MethodSection methods={paymentMethods} product={product} promo={promo.promo} {...shown} />
          <PromoSection promo={promo} isReady={choice !== undefined} />
          <ContactSection {...shown} />
        </div>
        <aside className="side">
          <section className="step summary" aria-labelledby="summary">
            <h2 id="summary">{checkout.summary}</h2>
            <Summary product={product} method={method} quantity={draft.quantity} price={price} />
          </section>
          <div className="buy">
            <div className="buy-said" role="alert">
              {failure && <p className="problem">{failure}</p>}
              {placing.isUncertain && (
                <button type="button" className="button" onClick={() => buy({ isKnownNotMade: true })}>
                  {checkout.orderAnyway}
                </button>
              )}
            </div>
            <p className="buy-total" aria-hidden="true">
              <span>{price?.isRough ? checkout.totalAbout : checkout.total}</span>
              <strong>{price ? rupiah(price.total) : '–'}</strong>
            </p>
            <button type="submit" className="button-main" disabled={placing.busy}>
              {placing.busy ? checkout.buying : checkout.buy}
            </button>
          </div>
          <details className="about">
            <summary>{checkout.about}</summary>
            <p>{game.description}</p>
          </details>
        </aside>
      </form>
    </>
  );
}
