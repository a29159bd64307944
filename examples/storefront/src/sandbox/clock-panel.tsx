import { useNow } from '../clock.ts';
import { moment } from '../words/format.ts';
import { Panel } from './drawer.tsx';
import type { SandboxWorld } from './world.ts';

const minute = 60_000;
const leaps = { '5m': 5 * minute, '31m': 31 * minute, '24h': 24 * 60 * minute };

/** World time, and ways to move it on. */
export function ClockPanel({ world }: { world: SandboxWorld }) {
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
