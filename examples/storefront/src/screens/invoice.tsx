import { isTopupError } from '@topup-kit/sdk';
import { faceOf } from '../orders/face.ts';
import { OrderMissing } from '../orders/order-missing.tsx';
import type { OrderView } from '../orders/order-view.ts';
import { PriceLines } from '../orders/price-lines.tsx';
import { StatusBanner } from '../orders/status-banner.tsx';
import { Steps } from '../orders/steps.tsx';
import { useOrder } from '../orders/use-order.ts';
import { useOrderState } from '../orders/use-order-state.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Picture } from '../parts/picture.tsx';
import { Screen } from '../parts/screen.tsx';
import { paths } from '../router.ts';
import { moment } from '../words/format.ts';
import { useLanguage, useWords } from '../words/use-words.ts';

function Details({ view }: { view: OrderView }) {
  const { invoice } = useWords();
  const language = useLanguage();
  return (
    <div className="two">
      <section className="step" aria-labelledby="details">
        <h2 id="details">{invoice.details}</h2>
        <div className="item">
          <Picture className="item-picture" src={view.productImage} />
          <p>
            <strong>{view.product}</strong> × {view.pricing.quantity}
            <br />
            {view.game}
          </p>
        </div>
        <dl className="facts">
          {view.serialNumber && (
            <div className="serial">
              <dt>{invoice.serial}</dt>
              <dd>
                {view.serialNumber.split(', ').map((serial) => (
                  <span key={serial} className="mono">
                    {serial}
                  </span>
                ))}
                <CopyButton text={view.serialNumber} of={invoice.serial} />
              </dd>
            </div>
          )}
          <div>
            <dt>{invoice.account}</dt>
            <dd>{view.account}</dd>
          </div>
          <div>
            <dt>{invoice.method}</dt>
            <dd>{view.method}</dd>
          </div>
          <div>
            <dt>{invoice.created}</dt>
            <dd>{moment(view.placedAt, language)}</dd>
          </div>
        </dl>
      </section>
      <section className="step" aria-labelledby="price">
        <h2 id="price">{invoice.price}</h2>
        <PriceLines pricing={view.pricing} />
        <a className="button" href={paths.game(view.slug)}>
          {invoice.orderAgain}
        </a>
      </section>
    </div>
  );
}

/** What became of an order, as it happens. */
export function InvoiceScreen({ orderId }: { orderId: string }) {
  const { invoice } = useWords();
  const { state, error } = useOrderState(orderId);
  const { view, settled } = useOrder(orderId, state?.buy_status);
  const face = state && faceOf(state);
  return (
    <Screen title={`${invoice.title} ${orderId}`} name="invoice">
      <div className="invoice-head">
        <h1 tabIndex={-1} className="screen-title">
          {invoice.title}
        </h1>
        <p>
          <span className="mono">{orderId}</span> <CopyButton text={orderId} of={invoice.order} />
        </p>
      </div>
      {state && face && (
        <section className="step">
          <StatusBanner state={state} />
          <Steps face={face} />
          {face === 'waiting' && (
            <a className="button-main" href={paths.payment(orderId)}>
              {invoice.payNow}
            </a>
          )}
        </section>
      )}
      {view && !face && error !== undefined && (
        <section className="step">
          <p role="status">
            {isTopupError(error, 'STATUS_UNAVAILABLE') ? invoice.notFollowed : invoice.stateUnknown}
          </p>
        </section>
      )}
      {view && <Details view={view} />}
      {!view && face && settled && <p className="hint">{invoice.limited}</p>}
      {!view && !face && <OrderMissing settled={settled} error={error} />}
    </Screen>
  );
}
