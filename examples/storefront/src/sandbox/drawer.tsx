import { type ScenarioName, scenarios } from '@topup-kit/mock';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useNow } from '../clock.ts';
import { Icon } from '../components/icon.tsx';
import { type PlacedOrder, placedOrders, usePlacedOrders } from '../orders/placed-orders.ts';
import { navigate, paths } from '../router.ts';
import { formatDateTime } from '../texts/format.ts';
import { toTestCode } from './as-test.ts';
import { type Action, actions } from './session.ts';
import type { SandboxWorld } from './world.ts';

const minute = 60_000;
const timeSteps = { '5m': 5 * minute, '31m': 31 * minute, '24h': 24 * 60 * minute };

/** Renders the sandbox clock with buttons that advance it. */
function ClockPanel({ world }: { world: SandboxWorld }) {
  const time = useNow();
  return (
    <Panel title="Clock">
      <p>
        <time dateTime={new Date(time).toISOString()}>{formatDateTime(time, 'en')}</time>
      </p>
      <div className="sandbox-row">
        {Object.entries(timeSteps).map(([name, by]) => (
          <button key={name} type="button" className="sandbox-button" onClick={() => world.advance(by)}>
            Advance {name}
          </button>
        ))}
      </div>
    </Panel>
  );
}

const clockTime = (at: number): string => new Date(at).toLocaleTimeString('en-GB');

function OrderEntry({ world, placed }: { world: SandboxWorld; placed: PlacedOrder }) {
  const [problem, setProblem] = useState('');
  const { order_id } = placed.order;
  const history = world.useHistories().get(order_id) ?? [];
  const state = history.at(-1);
  const link = useRef<HTMLAnchorElement>(null);
  async function act(action: Action) {
    try {
      await world.act(action, order_id);
      setProblem('');
      // The button that had the focus is gone, because another state has other buttons.
      link.current?.focus();
    } catch (error) {
      setProblem(String(error));
    }
  }
  return (
    <li className="sandbox-order">
      <p>
        <a ref={link} href={paths.invoice(order_id)}>
          {order_id}
        </a>
        <br />
        {placed.product}, {placed.game}
      </p>
      <ol className="sandbox-history">
        {history.map(({ at, payment_status, buy_status }) => (
          <li key={at}>
            <time dateTime={new Date(at).toISOString()}>{clockTime(at)}</time> {payment_status} / {buy_status}
          </li>
        ))}
      </ol>
      <div className="sandbox-row">
        {state &&
          world.possibleActions(state).map((action) => (
            <button key={action} type="button" className="sandbox-button" onClick={() => act(action)}>
              {actions[action]}
            </button>
          ))}
      </div>
      <p role="status">{problem}</p>
    </li>
  );
}

/** Renders every order of this tab: its states so far, and the actions that are allowed now. */
function OrdersPanel({ world }: { world: SandboxWorld }) {
  const placed = usePlacedOrders();
  useEffect(() => {
    const load = () => void world.loadStates();
    load();
    const timer = setInterval(load, 1_000);
    const unsubscribe = placedOrders.subscribe(load);
    return () => {
      clearInterval(timer);
      unsubscribe();
    };
  }, [world]);
  return (
    <Panel title="Orders">
      {placed.length === 0 && <p>None yet. Buy something.</p>}
      <ul>
        {placed.map((order) => (
          <OrderEntry key={order.order.order_id} world={world} placed={order} />
        ))}
      </ul>
    </Panel>
  );
}

/** Renders buttons that copy the session as a test, or start again. */
function TestPanel({ world }: { world: SandboxWorld }) {
  const [message, setMessage] = useState('');
  async function copy() {
    await world.loadStates();
    const { seed, dialect, now, steps, orders } = world;
    const text = toTestCode({ seed, dialect, now: now(), steps: steps(), orders: orders() });
    // Browsers have no clipboard API on an insecure connection.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setMessage(
      isCopied ? 'Copied: paste it into a .test.ts file.' : 'The browser does not allow this page to copy.',
    );
  }
  function reset() {
    world.reset();
    setMessage('');
    navigate(paths.catalogue);
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
      <p role="status">{message}</p>
    </Panel>
  );
}

// Safe: these are the keys of a constant table.
const names = Object.keys(scenarios) as ScenarioName[];

/** Renders the failures that the mock can simulate. */
function ScenarioPanel({ world }: { world: SandboxWorld }) {
  const active = world.useScenarios();
  return (
    <Panel title="Scenarios">
      <ul className="sandbox-scenarios">
        {names.map((name) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={active.has(name)}
                aria-describedby={`scenario-${name}`}
                onChange={({ target }) => world.toggle(name, target.checked)}
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

/** Renders one section of the drawer. */
const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="sandbox-panel" aria-label={title}>
    <h3>{title}</h3>
    {children}
  </section>
);

/** Renders developer controls for the mock next to the shop, in English only. */
export function Drawer({ world }: { world: SandboxWorld }) {
  const [isOpen, setOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const active = [...world.useScenarios()];
  const drawer = useRef<HTMLElement>(null);
  const close = useCallback(() => {
    setOpen(false);
    const { activeElement, body } = document;
    // If a visitor is using the shop, the focus stays there.
    if (activeElement === body || drawer.current?.contains(activeElement)) opener.current?.focus();
  }, []);
  useEffect(() => {
    if (!isOpen) return;
    heading.current?.focus();
    const closeByKey = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    addEventListener('keydown', closeByKey);
    return () => removeEventListener('keydown', closeByKey);
  }, [isOpen, close]);
  return (
    <aside ref={drawer} className="sandbox" lang="en" aria-label="Sandbox">
      <button
        ref={opener}
        type="button"
        className="sandbox-open"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        <Icon name="flask" />
        Sandbox
        {active.length > 0 && <span className="sandbox-active">{active.join(', ')}</span>}
      </button>
      {isOpen && (
        <div className="sandbox-drawer">
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
