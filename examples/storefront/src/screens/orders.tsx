import { type FormEvent, useState } from 'react';
import { client } from '../client.ts';
import { Picture } from '../components/picture.tsx';
import { Screen } from '../components/screen.tsx';
import { faceOf, tones } from '../orders/display-status.ts';
import { type PlacedOrder, useOrderBook } from '../orders/placed-orders.ts';
import { go, paths } from '../router.ts';
import { rupiah } from '../texts/format.ts';
import { useWords } from '../texts/use-texts.ts';
import { useAnswer } from '../use-query.ts';

function OrderRow({ placed }: { placed: PlacedOrder }) {
  const { faces } = useWords();
  const orderId = placed.order.order_id;
  const { answer } = useAnswer(`state ${orderId}`, (signal) =>
    client.invoices.paymentStatus(orderId, { signal }),
  );
  const face = answer.state === 'ready' ? faceOf(answer.data.data) : undefined;
  return (
    <li>
      <a className="order" href={paths.invoice(orderId)}>
        <Picture className="item-picture" src={placed.productImage} />
        <span className="order-what">
          <strong>{placed.product}</strong>
          <span>{placed.game}</span>
          <span className="mono">{orderId}</span>
        </span>
        <span className="order-how">
          <strong>{rupiah(placed.order.total_price)}</strong>
          {face && <span className={`badge tone-${tones[face]}`}>{faces[face].title}</span>}
        </span>
      </a>
    </li>
  );
}

function FindOrder() {
  const { orders } = useWords();
  const [text, setText] = useState('');
  function find(event: FormEvent) {
    event.preventDefault();
    if (text.trim()) go(paths.invoice(text.trim().toUpperCase()));
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
          {orders.look}
        </button>
      </form>
    </section>
  );
}

/** The orders of this device, and a way to any other. */
export function OrdersScreen() {
  const { orders } = useWords();
  const placed = useOrderBook();
  return (
    <Screen title={orders.title} name="orders">
      <h1 tabIndex={-1} className="screen-title">
        {orders.title}
      </h1>
      {placed.length > 0 ? (
        <ul className="orders" aria-label={orders.here}>
          {placed.map((one) => (
            <OrderRow key={one.order.order_id} placed={one} />
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
