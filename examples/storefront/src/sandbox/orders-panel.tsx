import { useEffect, useState } from 'react';
import { orderBook, type PlacedOrder, useOrderBook } from '../orders/order-book.ts';
import { paths } from '../router.ts';
import { Panel } from './drawer.tsx';
import { type Action, actions } from './steps.ts';
import type { SandboxWorld, Sight } from './world.ts';

const clockTime = (at: number): string => new Date(at).toLocaleTimeString('en-GB');
const title = (action: Action): string => action.charAt(0).toUpperCase() + action.slice(1);

/** What can happen to an order as it stands. */
function isPossible(action: Action, sight: Sight | undefined, { undelivered }: SandboxWorld): boolean {
  if (action === 'deliver')
    return sight?.payment_status === undelivered.payment && sight.buy_status === undelivered.buy;
  return sight?.payment_status === 'UNPAID';
}

function OrderEntry({ world, placed }: { world: SandboxWorld; placed: PlacedOrder }) {
  const [problem, setProblem] = useState('');
  const { order_id } = placed.order;
  const sights = world.useSights().get(order_id) ?? [];
  const act = (action: Action) =>
    world.act(action, order_id).then(
      () => setProblem(''),
      (error: unknown) => setProblem(String(error)),
    );
  return (
    <li className="sandbox-order">
      <p>
        <a href={paths.invoice(order_id)}>{order_id}</a>
        <br />
        {placed.product}, {placed.game}
      </p>
      <ol className="sandbox-way">
        {sights.map(({ at, payment_status, buy_status }) => (
          <li key={at}>
            <time dateTime={new Date(at).toISOString()}>{clockTime(at)}</time> {payment_status} / {buy_status}
          </li>
        ))}
      </ol>
      <div className="sandbox-row">
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            className="sandbox-button"
            disabled={!isPossible(action, sights.at(-1), world)}
            onClick={() => act(action)}
          >
            {title(action)}
          </button>
        ))}
      </div>
      <p role="status">{problem}</p>
    </li>
  );
}

/** Every order of this tab, what became of it, and what may happen next. */
export function OrdersPanel({ world }: { world: SandboxWorld }) {
  const placed = useOrderBook();
  useEffect(() => {
    const look = () => void world.look();
    look();
    const timer = setInterval(look, 1_000);
    const leave = orderBook.subscribe(look);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, [world]);
  return (
    <Panel title="Orders">
      {placed.length === 0 && <p>None yet. Buy something.</p>}
      <ul>
        {placed.map((one) => (
          <OrderEntry key={one.order.order_id} world={world} placed={one} />
        ))}
      </ul>
    </Panel>
  );
}
