import { type ScenarioName, scenarios } from '@topup-kit/mock';
import { Panel } from './drawer.tsx';
import type { SandboxWorld } from './world.ts';

// safe: the keys of a const table
const names = Object.keys(scenarios) as ScenarioName[];

/** Ways in which the world can go wrong. */
export function ScenarioPanel({ world }: { world: SandboxWorld }) {
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
