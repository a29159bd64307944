import { useState } from 'react';
import { go, paths } from '../router.ts';
import { asTest } from './as-test.ts';
import { Panel } from './drawer.tsx';
import type { SandboxWorld } from './world.ts';

/** What was done, as a test; and the way back to the start. */
export function TestPanel({ world }: { world: SandboxWorld }) {
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
