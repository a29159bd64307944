import { isTopupError } from '@topup-kit/sdk';
import { useEffect } from 'react';
import { useNow } from '../clock.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Icon } from '../components/icon.tsx';
import { Screen } from '../components/screen.tsx';
import { displayStatusOf } from '../orders/display-status.ts';
import { OrderPlaceholder } from '../orders/order-placeholder.tsx';
import { PriceBreakdown } from '../orders/price-breakdown.tsx';
import { type OrderView, useOrder, useOrderState } from '../orders/use-order.ts';
import { paths, replaceHash } from '../router.ts';
import { countdown, formatDateTime, rupiah } from '../texts/format.ts';
import { useLanguage } from '../texts/language.ts';
import { useTexts } from '../texts/use-texts.ts';

/** Explains how to pay: a QR code to scan, a page to open, or a code to enter. */
function PaymentInstructions({ view }: { view: OrderView }) {
  const { payment } = useTexts();
  if (view.qrUrl)
    return (
      <>
        <p>{payment.payWithQr}</p>
        <img className="qr" src={view.qrUrl} alt={payment.qr} width="240" height="240" />
        <details className="qr-text">
          <summary>{payment.qrAsText}</summary>
          <p className="code code-small">{view.code}</p>
          <CopyButton text={view.code} label={payment.qrAsText} />
        </details>
      </>
    );
  // The code of an e-wallet is the address of its payment page.
  if (URL.canParse(view.code) || view.code === view.paymentUrl)
    return (
      <>
        <p>{payment.redirect(view.method)}</p>
        <a className="button-main" href={view.paymentUrl}>
          {payment.open(view.method)}
        </a>
      </>
    );
  // Only the totals of bank transfers have a unique code.
  const isBankTransfer = view.pricing.unique_code > 0;
  return (
    <>
      <p>{isBankTransfer ? payment.payToAccount(view.method) : payment.payWithCode(view.method)}</p>
      <p className="code">{view.displayCode}</p>
      <CopyButton text={view.code} label={isBankTransfer ? payment.accountNumber : payment.code} />
      {isBankTransfer && <p className="hint">{payment.exactly}</p>}
    </>
  );
}

/** Remaining time below which it is highlighted, in milliseconds. */
const urgentMs = 5 * 60_000;

function TimeLeft({ expiresAt }: { expiresAt: number }) {
  const { payment } = useTexts();
  const language = useLanguage();
  const left = expiresAt - useNow();
  return (
    <div className={left < urgentMs ? 'time-left time-left-soon' : 'time-left'}>
      <Icon name="clock" />
      <p>
        <span>{payment.timeLeft}</span> <strong role="timer">{countdown(left)}</strong>
      </p>
      <p className="hint">
        {payment.before}{' '}
        <time dateTime={new Date(expiresAt).toISOString()}>{formatDateTime(expiresAt, language)}</time>
      </p>
    </div>
  );
}

/** Renders the payment of an unpaid order. Opens the invoice when the order is no longer unpaid. */
export function PaymentScreen({ orderId }: { orderId: string }) {
  const texts = useTexts();
  const { state, error } = useOrderState(orderId);
  const { view, isLoaded } = useOrder(orderId, undefined);
  const status = state && displayStatusOf(state);
  const isOver = (status !== undefined && status !== 'waiting') || (isLoaded && !view && state !== undefined);
  useEffect(() => {
    if (isOver) replaceHash(paths.invoice(orderId));
  }, [isOver, orderId]);
  const { payment, checkout, invoice } = texts;
  return (
    <Screen title={payment.title} name="payment">
      <h1 tabIndex={-1} className="screen-title">
        {payment.title}
      </h1>
      {view ? (
        <div className="columns">
          <section className="step pay" aria-labelledby="amount">
            <div className="amount">
              <h2 id="amount">{payment.amount}</h2>
              <p>
                <strong>{rupiah(view.pricing.total_price)}</strong>
                <CopyButton text={String(view.pricing.total_price)} label={payment.amount} />
              </p>
            </div>
            <TimeLeft expiresAt={view.expiresAt} />
            <PaymentInstructions view={view} />
            {isTopupError(error, 'STATUS_UNAVAILABLE') ? (
              <p role="status">{invoice.statusUnavailable}</p>
            ) : (
              <p className="awaiting-payment" role="status">
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
            <PriceBreakdown pricing={view.pricing} />
            <a className="button" href={paths.invoice(orderId)}>
              {payment.details}
            </a>
          </section>
        </div>
      ) : (
        <OrderPlaceholder isLoaded={isLoaded} error={error} />
      )}
    </Screen>
  );
}
