import { type ScenarioName, scenarios } from '@topup-kit/mock';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNow } from '../clock.ts';
import { Icon } from '../components/icon.tsx';
import { orderBook, type PlacedOrder, useOrderBook } from '../orders/placed-orders.ts';
import { go, paths } from '../router.ts';
import { moment } from '../texts/format.ts';
import { asTest } from './as-test.ts';
import { type Action, actions } from './session.ts';
import type { SandboxWorld, Sight } from './world.ts';

const minute = 60_000;
const leaps = { '5m': 5 * minute, '31m': 31 * minute, '24h': 24 * 60 * minute };

/** World time, and ways to move it on. */
function ClockPanel({ world }: { world: SandboxWorld }) {
  const at = useNow();
  return (
    <Panel title="Clock">
      <p>
        <time dateTime={new Date(at).toISOString()}>{moment(at, 'en')}</time>
      </p>
      <div className="sandbox-row">
        {Object.entries(leaps).map(([name, by]) => (
          <button key={name} type="button" className="sandbox-button" onClick={() => world.advance(by)}>
            Advance {name}
          </button>
        ))}
      </div>
    </Panel>
  );
}

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
function OrdersPanel({ world }: { world: SandboxWorld }) {
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

/** What was done, as a test; and the way back to the start. */
function TestPanel({ world }: { world: SandboxWorld }) {
  const [said, setSaid] = useState('');
  async function copy() {
    await world.look();
    const { seed, dialect, now, steps, orders } = world;
    const text = asTest({ seed, dialect, now: now(), steps: steps(), orders: orders() });
    // Without a secure connection there is no clipboard to write to.
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(done ? 'Copied: paste it into a .test.ts file.' : 'The browser does not let this page copy.');
  }
  function reset() {
    world.reset();
    setSaid('');
    go(paths.catalogue);
  }
  return (
    <Panel title="This session">
      <p>
        Seed {world.seed}, dialect {world.dialect}
      </p>
      <div className="sandbox-row">
        <button type="button" className="sandbox-button" onClick={copy}>
          Copy as test
        </button>
        <button type="button" className="sandbox-button" onClick={reset}>
          Reset world
        </button>
      </div>
      <p role="status">{said}</p>
    </Panel>
  );
}

// safe: the keys of a const table
const names = Object.keys(scenarios) as ScenarioName[];

/** Ways in which the world can go wrong. */
function ScenarioPanel({ world }: { world: SandboxWorld }) {
  const on = world.useScenarios();
  return (
    <Panel title="Scenarios">
      <ul className="sandbox-scenarios">
        {names.map((name) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={on.has(name)}
                aria-describedby={`scenario-${name}`}
                onChange={({ target }) => world.turn(name, target.checked)}
              />
              {name}
            </label>
            <p id={`scenario-${name}`}>{scenarios[name]}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** One part of the drawer. */
const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="sandbox-panel" aria-label={title}>
    <h3>{title}</h3>
    {children}
  </section>
);

/** For whoever develops: the hands on the mock's world, beside the shop and in English alone. */
export function Drawer({ world }: { world: SandboxWorld }) {
  const [isOpen, setOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) heading.current?.focus();
  }, [isOpen]);
  function close() {
    setOpen(false);
    opener.current?.focus();
  }
  return (
    <aside className="sandbox" lang="en" aria-label="Sandbox">
      <button
        ref={opener}
        type="button"
        className="sandbox-open"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        <Icon name="flask" />
        <span>Sandbox</span>
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes from any control within
        <div className="sandbox-drawer" onKeyDown={({ key }) => key === 'Escape' && close()}>
          <div className="sandbox-head">
            <h2 ref={heading} tabIndex={-1}>
              Sandbox
            </h2>
            <button type="button" className="sandbox-button" onClick={close}>
              Close
            </button>
          </div>
          <ClockPanel world={world} />
          <OrdersPanel world={world} />
          <TestPanel world={world} />
          <ScenarioPanel world={world} />
        </div>
      )}
    </aside>
  );
}
