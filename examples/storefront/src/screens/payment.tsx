import { isTopupError } from '@topup-kit/sdk';
import { useEffect } from 'react';
import { useNow } from '../clock.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Icon } from '../components/icon.tsx';
import { Screen } from '../components/screen.tsx';
import { faceOf } from '../orders/display-status.ts';
import { OrderMissing } from '../orders/order-placeholder.tsx';
import { PriceLines } from '../orders/price-breakdown.tsx';
import { type OrderView, useOrder, useOrderState } from '../orders/use-order.ts';
import { paths, replace } from '../router.ts';
import { countdown, moment, rupiah } from '../texts/format.ts';
import { useLanguage, useWords } from '../texts/use-texts.ts';

/** How to pay: a picture to scan, a page to go to, or a code to type. */
function PayPanel({ view }: { view: OrderView }) {
  const { payment } = useWords();
  if (view.qrUrl)
    return (
      <>
        <p>{payment.payWithQr}</p>
        <img className="qr" src={view.qrUrl} alt={payment.qr} width="240" height="240" />
        <details className="as-text">
          <summary>{payment.qrAsText}</summary>
          <p className="code code-small">{view.code}</p>
          <CopyButton text={view.code} of={payment.qrAsText} />
        </details>
      </>
    );
  // An e-wallet's code is the address of the page that one pays on.
  if (URL.canParse(view.code) || view.code === view.paymentUrl)
    return (
      <>
        <p>{payment.redirect(view.method)}</p>
        <a className="button-main" href={view.paymentUrl}>
          {payment.open(view.method)}
        </a>
      </>
    );
  return (
    <>
      <p>{payment.payWithCode(view.method)}</p>
      <p className="code">{view.codeForPeople}</p>
      <CopyButton text={view.code} of={payment.code} />
      {view.pricing.unique_code > 0 && <p className="hint">{payment.exactly}</p>}
    </>
  );
}

const soon = 5 * 60_000;

function TimeLeft({ expiresAt }: { expiresAt: number }) {
  const { payment } = useWords();
  const language = useLanguage();
  const left = expiresAt - useNow();
  return (
    <div className={left < soon ? 'left left-soon' : 'left'}>
      <Icon name="clock" />
      <p>
        <span>{payment.timeLeft}</span> <strong role="timer">{countdown(left)}</strong>
      </p>
      <p className="hint">
        {payment.before}{' '}
        <time dateTime={new Date(expiresAt).toISOString()}>{moment(expiresAt, language)}</time>
      </p>
    </div>
  );
}

/** Where an unpaid order is paid; once it is not unpaid any more, its invoice takes over. */
export function PaymentScreen({ orderId }: { orderId: string }) {
  const words = useWords();
  const { state, error } = useOrderState(orderId);
  const { view, settled } = useOrder(orderId, undefined);
  const face = state && faceOf(state);
  const isOver = (face !== undefined && face !== 'waiting') || (settled && !view && state !== undefined);
  useEffect(() => {
    if (isOver) replace(paths.invoice(orderId));
  }, [isOver, orderId]);
  const { payment, checkout, invoice } = words;
  return (
    <Screen title={payment.title} name="payment">
      <h1 tabIndex={-1} className="screen-title">
        {payment.title}
      </h1>
      {view ? (
        <div className="two">
          <section className="step pay" aria-labelledby="amount">
            <div className="amount">
              <h2 id="amount">{payment.amount}</h2>
              <p>
                <strong>{rupiah(view.pricing.total_price)}</strong>
                <CopyButton text={String(view.pricing.total_price)} of={payment.amount} />
              </p>
            </div>
            <TimeLeft expiresAt={view.expiresAt} />
            <PayPanel view={view} />
            {isTopupError(error, 'STATUS_UNAVAILABLE') ? (
              <p role="status">{invoice.notFollowed}</p>
            ) : (
              <p className="watching" role="status">
                <Icon name="spin" /> {payment.waiting}
              </p>
            )}
          </section>
          <section className="step" aria-labelledby="order">
            <h2 id="order">{checkout.summary}</h2>
            <dl className="facts">
              <div>
                <dt>{invoice.order}</dt>
                <dd className="mono">{orderId}</dd>
              </div>
              <div>
                <dt>{invoice.item}</dt>
                <dd>
                  {view.product} · {view.game}
                </dd>
              </div>
              <div>
                <dt>{invoice.account}</dt>
                <dd>{view.account}</dd>
              </div>
              <div>
                <dt>{invoice.method}</dt>
                <dd>{view.method}</dd>
              </div>
            </dl>
            <PriceLines pricing={view.pricing} />
            <a className="button" href={paths.invoice(orderId)}>
              {payment.details}
            </a>
          </section>
        </div>
      ) : (
        <OrderMissing settled={settled} error={error} />
      )}
    </Screen>
  );
}
