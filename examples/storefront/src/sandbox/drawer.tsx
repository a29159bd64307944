import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { OrdersPanel } from './orders-panel.tsx';
import { ScenarioPanel } from './scenario-panel.tsx';
import { TestPanel } from './test-panel.tsx';
import type { SandboxWorld } from './world.ts';

/** One part of the drawer. */
export const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
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
