import { type FailureReason, isTopupError } from '@topup-kit/sdk';
import { CopyButton } from '../components/copy-button.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { Picture } from '../components/picture.tsx';
import { Screen } from '../components/screen.tsx';
import {
  completedSteps,
  type DisplayStatus,
  displayStatusOf,
  type OrderStates,
  tones,
} from '../orders/display-status.ts';
import { OrderPlaceholder } from '../orders/order-placeholder.tsx';
import { PriceBreakdown } from '../orders/price-breakdown.tsx';
import { type OrderView, useOrder, useOrderState } from '../orders/use-order.ts';
import { paths } from '../router.ts';
import { formatDateTime } from '../texts/format.ts';
import { useLanguage } from '../texts/language.ts';
import { useTexts } from '../texts/use-texts.ts';

const icons: Record<DisplayStatus, IconName> = {
  waiting: 'clock',
  processing: 'spin',
  delivered: 'check',
  undelivered: 'alert',
  failed: 'cross',
  expired: 'clock',
  cancelled: 'cross',
  refunded: 'undo',
  unknown: 'spin',
};

/** Renders the order's status; screen readers announce each change. */
function StatusBanner({ state, reason }: { state: OrderStates; reason: FailureReason | undefined }) {
  const { statuses, failures, invoice } = useTexts();
  const status = displayStatusOf(state);
  return (
    <div className={`status tone-${tones[status]}`} role="status">
      <span className="status-icon">
        <Icon name={icons[status]} />
      </span>
      <div>
        <strong>{statuses[status].title}</strong>
        <p>{statuses[status].text}</p>
        {status === 'undelivered' && reason && <p>{failures.get(reason)}</p>}
        {status === 'unknown' && <p>{invoice.rawStatus(`${state.payment_status} / ${state.buy_status}`)}</p>}
      </div>
    </div>
  );
}

const steps = ['placed', 'paid', 'processing', 'delivered'] as const;
const stoppedStatuses: readonly DisplayStatus[] = [
  'undelivered',
  'failed',
  'expired',
  'cancelled',
  'refunded',
];

/** Renders the steps of an order, and marks the completed ones. */
function OrderProgress({ status }: { status: DisplayStatus }) {
  const { invoice } = useTexts();
  const completed = completedSteps[status];
  return (
    <ol
      className={stoppedStatuses.includes(status) ? 'progress progress-stopped' : 'progress'}
      aria-label={invoice.progress}
    >
      {steps.map((step, index) => (
        <li
          key={step}
          className={index < completed ? 'progress-done' : undefined}
          aria-current={index === completed - 1 ? 'step' : undefined}
        >
          <span className="progress-mark">{index < completed && <Icon name="check" />}</span>
          {invoice.step[step]}
        </li>
      ))}
    </ol>
  );
}

function Details({ view }: { view: OrderView }) {
  const { invoice } = useTexts();
  const language = useLanguage();
  return (
    <div className="columns">
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
                <CopyButton text={view.serialNumber} label={invoice.serial} />
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
            <dd>{formatDateTime(view.placedAt, language)}</dd>
          </div>
        </dl>
      </section>
      <section className="step" aria-labelledby="price">
        <h2 id="price">{invoice.price}</h2>
        <PriceBreakdown pricing={view.pricing} />
        <a className="button" href={paths.game(view.slug)}>
          {invoice.orderAgain}
        </a>
      </section>
    </div>
  );
}

/** Renders the invoice of an order with its live status. */
export function InvoiceScreen({ orderId }: { orderId: string }) {
  const { invoice } = useTexts();
  const { state, error } = useOrderState(orderId);
  const { view, isLoaded } = useOrder(orderId, state?.buy_status);
  const status = state && displayStatusOf(state);
  return (
    <Screen title={`${invoice.title} ${orderId}`} name="invoice">
      <div className="invoice-head">
        <h1 tabIndex={-1} className="screen-title">
          {invoice.title}
        </h1>
        <p>
          <span className="mono">{orderId}</span> <CopyButton text={orderId} label={invoice.order} />
        </p>
      </div>
      {state && status && (
        <section className="step">
          <StatusBanner state={state} reason={view?.failureReason} />
          <OrderProgress status={status} />
          {status === 'waiting' && (
            <a className="button-main" href={paths.payment(orderId)}>
              {invoice.payNow}
            </a>
          )}
        </section>
      )}
      {view && !status && error !== undefined && (
        <section className="step">
          <p role="status">
            {isTopupError(error, 'STATUS_UNAVAILABLE') ? invoice.statusUnavailable : invoice.statusNotLoaded}
          </p>
        </section>
      )}
      {view && <Details view={view} />}
      {!view && status && isLoaded && <p className="hint">{invoice.limited}</p>}
      {!view && !status && <OrderPlaceholder isLoaded={isLoaded} error={error} />}
    </Screen>
  );
}
