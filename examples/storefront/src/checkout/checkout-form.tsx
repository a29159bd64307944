import { type GetCheckoutResponse, isTopupError } from '@topup-kit/sdk';
import { type FormEvent, useState } from 'react';
import { client, returnUrl } from '../client.ts';
import { now, useNow } from '../clock.ts';
import { Icon } from '../components/icon.tsx';
import { displayStatusOf } from '../orders/display-status.ts';
import { placedOrders, usePlacedOrders } from '../orders/placed-orders.ts';
import { accountText } from '../orders/use-order.ts';
import { navigate, paths } from '../router.ts';
import { rupiah } from '../texts/format.ts';
import { errorText, useTexts } from '../texts/use-texts.ts';
import { useQuery } from '../use-query.ts';
import { AccountSection, ContactSection } from './customer-sections.tsx';
import { checkDraft, type Problems, rejectedFields, useDraft } from './draft.ts';
import { estimate } from './estimate.ts';
import { Fold } from './fold.tsx';
import { MethodSection } from './method-section.tsx';
import { ProductSection } from './product-section.tsx';
import { PromoSection, usePromo } from './promo-section.tsx';
import { Summary } from './summary.tsx';
import { usePlaceOrder } from './use-place-order.ts';

/** Links to an unpaid order for the same game, so that a returning visitor does not order twice. */
function UnpaidOrderNotice({ slug }: { slug: string }) {
  const now = useNow();
  const last = usePlacedOrders().find((placed) => placed.slug === slug);
  if (!last || Date.parse(last.order.expired_at) <= now) return null;
  return <UnpaidOrderLink orderId={last.order.order_id} />;
}

function UnpaidOrderLink({ orderId }: { orderId: string }) {
  const { checkout } = useTexts();
  const { result } = useQuery(`state ${orderId}`, (signal) =>
    client.invoices.paymentStatus(orderId, { signal }),
  );
  if (result.state !== 'ready' || displayStatusOf(result.data.data) !== 'waiting') return null;
  return (
    <div className="notice">
      <Icon name="clock" />
      <p>
        {checkout.unpaid} <a href={paths.payment(orderId)}>{checkout.payUnpaid}</a>
      </p>
    </div>
  );
}

/** Moves the focus to the first field with a problem. */
function focusFirstProblem(problems: Problems): void {
  const [first] = Object.keys(problems);
  const field = document.getElementById(`field-${first}`);
  (field?.querySelector<HTMLElement>('input:not(:disabled)') ?? field)?.focus();
}

export function CheckoutForm({ response: { game, paymentMethods } }: { response: GetCheckoutResponse }) {
  const texts = useTexts();
  const { checkout } = texts;
  const [draft, change] = useDraft(game.slug);
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const placement = usePlaceOrder();
  const product = game.products.find(({ id }) => id === draft.productId);
  const method = paymentMethods.find(({ id }) => id === draft.methodId);
  const selection =
    product && method
      ? { game_slug: game.slug, product_id: product.id, payment_method_id: method.id }
      : undefined;
  const promo = usePromo(selection);
  const price = product && estimate(product, draft.quantity, method, promo.promo);

  async function placeOrder(options?: { isConfirmedNotPlaced: boolean }) {
    setWasSubmitted(true);
    const problems = checkDraft(draft, game, texts);
    if (Object.keys(problems).length > 0 || !product || !method) return focusFirstProblem(problems);
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
      ...(returnUrl && { return_url: returnUrl }),
    };
    const order = await placement.place(request, options);
    if (!order) return;
    placedOrders.add({
      slug: game.slug,
      game: game.title,
      product: product.title,
      productImage: product.image,
      method: method.name,
      account: accountText(draft.id.trim(), server),
      placedAt: now(),
      order,
    });
    navigate(paths.payment(order.order_id));
  }

  const rejected = isTopupError(placement.error, 'VALIDATION_ERROR')
    ? rejectedFields(placement.error.fields ?? {}, texts)
    : {};
  const form = {
    draft,
    change,
    problems: { ...rejected, ...(wasSubmitted && checkDraft(draft, game, texts)) },
  };
  const failure =
    Object.keys(form.problems).length > 0
      ? checkout.check
      : placement.isUncertain
        ? texts.errors.ORDER_UNCERTAIN
        : placement.error !== undefined
          ? errorText(placement.error, texts)
          : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    void placeOrder();
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
      <UnpaidOrderNotice slug={game.slug} />
      <form className="checkout" noValidate onSubmit={submit}>
        <div className="steps">
          <AccountSection game={game} {...form} />
          <ProductSection game={game} {...form} />
          <MethodSection methods={paymentMethods} product={product} promo={promo.promo} {...form} />
          <PromoSection promo={promo} isReady={selection !== undefined} />
          <ContactSection {...form} />
        </div>
        <aside className="side">
          <section className="step summary" aria-labelledby="summary">
            <Fold
              title={<h2 id="summary">{checkout.summary}</h2>}
              chosen={product && rupiah(price?.total ?? 0)}
            >
              <Summary product={product} method={method} quantity={draft.quantity} price={price} />
            </Fold>
          </section>
          <div className="buy">
            <div className="buy-message" role="alert">
              {failure && <p className="problem">{failure}</p>}
              {placement.isUncertain && (
                <button
                  type="button"
                  className="button"
                  onClick={() => placeOrder({ isConfirmedNotPlaced: true })}
                >
                  {checkout.orderAnyway}
                </button>
              )}
            </div>
            <p className="buy-total" aria-hidden="true">
              <span>{price?.isRough ? checkout.totalAbout : checkout.total}</span>
              <strong>{price ? rupiah(price.total) : '–'}</strong>
            </p>
            <button type="submit" className="button-main" disabled={placement.busy}>
              {placement.busy ? checkout.buying : checkout.buy}
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
