import { type FormEvent, useState } from 'react';
import { client } from '../client.ts';
import { Picture } from '../components/picture.tsx';
import { Screen } from '../components/screen.tsx';
import { displayStatusOf, tones } from '../orders/display-status.ts';
import { type PlacedOrder, usePlacedOrders } from '../orders/placed-orders.ts';
import { navigate, paths } from '../router.ts';
import { formatDateTime, rupiah } from '../texts/format.ts';
import { useLanguage } from '../texts/language.ts';
import { useTexts } from '../texts/use-texts.ts';
import { useQuery } from '../use-query.ts';

type WhenAndHow = Pick<PlacedOrder, 'placedAt' | 'method'>;

/** Returns when an order was placed and how it is paid. It reads the invoice if this device doesn't know both. */
function useWhenAndHow({ order: { order_id }, placedAt, method }: PlacedOrder): WhenAndHow {
  const known: WhenAndHow = { ...(placedAt && { placedAt }), ...(method && { method }) };
  const isKnown = placedAt !== undefined && method !== undefined;
  const { result } = useQuery<WhenAndHow>(`placed ${order_id}`, async (signal) => {
    if (isKnown) return known;
    const { order } = await client.invoices.get(order_id, { signal });
    return { placedAt: Date.parse(order.created_at), method: order.payment_name };
  });
  return isKnown || result.state !== 'ready' ? known : result.data;
}

function OrderRow({ placed }: { placed: PlacedOrder }) {
  const { statuses } = useTexts();
  const language = useLanguage();
  const orderId = placed.order.order_id;
  const { placedAt, method } = useWhenAndHow(placed);
  const { result } = useQuery(`state ${orderId}`, (signal) =>
    client.invoices.paymentStatus(orderId, { signal }),
  );
  const status = result.state === 'ready' ? displayStatusOf(result.data.data) : undefined;
  return (
    <li>
      <a className="order" href={paths.invoice(orderId)}>
        <Picture className="item-picture" src={placed.productImage} />
        <span className="order-what">
          <strong>{placed.product}</strong>
          <span>{placed.game}</span>
          {placedAt !== undefined && (
            <time dateTime={new Date(placedAt).toISOString()}>{formatDateTime(placedAt, language)}</time>
          )}
          {method !== undefined && <span>{method}</span>}
          <span className="mono">{orderId}</span>
        </span>
        <span className="order-how">
          <strong>{rupiah(placed.order.total_price)}</strong>
          {status && <span className={`badge tone-${tones[status]}`}>{statuses[status].title}</span>}
        </span>
      </a>
    </li>
  );
}

function FindOrder() {
  const { orders } = useTexts();
  const [text, setText] = useState('');
  function find(event: FormEvent) {
    event.preventDefault();
    if (text.trim()) navigate(paths.invoice(text.trim().toUpperCase()));
  }
  return (
    <section className="step" aria-labelledby="find">
      <h2 id="find">{orders.find}</h2>
      <form className="promo" onSubmit={find}>
        <label className="hidden" htmlFor="order-id">
          {orders.findHint}
        </label>
        <input
          id="order-id"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="INV-…"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="button">
          {orders.submit}
        </button>
      </form>
    </section>
  );
}

/** Renders the orders placed on this device, and a form that finds any order by its number. */
export function OrdersScreen() {
  const { orders } = useTexts();
  const placed = usePlacedOrders();
  return (
    <Screen title={orders.title} name="orders">
      <h1 tabIndex={-1} className="screen-title">
        {orders.title}
      </h1>
      {placed.length > 0 ? (
        <ul className="orders" aria-label={orders.onThisDevice}>
          {placed.map((order) => (
            <OrderRow key={order.order.order_id} placed={order} />
          ))}
        </ul>
      ) : (
        <div className="empty">
          <p>{orders.empty}</p>
          <a className="button" href={paths.catalogue}>
            {orders.start}
          </a>
        </div>
      )}
      <FindOrder />
    </Screen>
  );
}
