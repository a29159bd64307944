import { isTopupError } from '@topup-kit/sdk';
import { CopyButton } from '../components/copy-button.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { Picture } from '../components/picture.tsx';
import { Screen } from '../components/screen.tsx';
import { type Face, faceOf, type States, stepsTaken, tones } from '../orders/display-status.ts';
import { OrderMissing } from '../orders/order-placeholder.tsx';
import { PriceLines } from '../orders/price-breakdown.tsx';
import { type OrderView, useOrder, useOrderState } from '../orders/use-order.ts';
import { paths } from '../router.ts';
import { moment } from '../texts/format.ts';
import { useLanguage, useWords } from '../texts/use-texts.ts';

const icons: Record<Face, IconName> = {
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

/** How the order stands, told again whenever that changes. */
function StatusBanner({ state }: { state: States }) {
  const { faces, invoice } = useWords();
  const face = faceOf(state);
  return (
    <div className={`status tone-${tones[face]}`} role="status">
      <span className="status-icon">
        <Icon name={icons[face]} />
      </span>
      <div>
        <strong>{faces[face].title}</strong>
        <p>{faces[face].says}</p>
        {face === 'unknown' && <p>{invoice.told(`${state.payment_status} / ${state.buy_status}`)}</p>}
      </div>
    </div>
  );
}

const names = ['placed', 'paid', 'processing', 'delivered'] as const;
const broken: readonly Face[] = ['undelivered', 'failed', 'expired', 'cancelled', 'refunded'];

/** The way of an order, as far as it went. */
function Steps({ face }: { face: Face }) {
  const { invoice } = useWords();
  const taken = stepsTaken[face];
  return (
    <ol className={broken.includes(face) ? 'way way-broken' : 'way'} aria-label={invoice.steps}>
      {names.map((name, place) => (
        <li
          key={name}
          className={place < taken ? 'way-taken' : undefined}
          aria-current={place === taken - 1 ? 'step' : undefined}
        >
          <span className="way-mark">{place < taken && <Icon name="check" />}</span>
          {invoice.step[name]}
        </li>
      ))}
    </ol>
  );
}

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
