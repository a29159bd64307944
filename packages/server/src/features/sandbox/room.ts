import {
  controls,
  createFaults,
  createJournal,
  createSandbox,
  createScenarioSwitch,
  type RequestJournal,
  readControlInput,
  requestCode,
  type Sandbox,
  type SandboxAction,
  sandboxActions,
  sandboxInApp,
} from '@topup-kit/core/features/sandbox';
import type { SimulatedWorld, Simulation } from '../../service/world.ts';
import { controlRoutes } from './api-page.ts';
import { createWorlds } from './worlds.ts';

/** The controls and the journal of a sandbox. */
export interface SandboxWorld extends Sandbox {
  journal: RequestJournal;
  /** Actions of {@link Sandbox.act}; listed here, because pages must not load the sandbox in live mode. */
  actions: readonly SandboxAction[];
  codeOf: typeof requestCode;
  controls: typeof controls;
  readInput: typeof readControlInput;
}

export const sandboxRoom: Simulation<SimulatedWorld & SandboxWorld> = {
  begin({ findOrder, now, ...limits }) {
    const scenario = createScenarioSwitch({ faults: createFaults(now), findOrder });
    return {
      gateway: scenario.gateway,
      supplier: scenario.supplier,
      open({ realClock, monotonicClock, ...host }) {
        const journal = createJournal({ realClock, monotonicClock, active: scenario.active });
        const sandbox = createSandbox({ ...host, scenario, journal });
        const room = sandboxInApp(sandbox, journal, { findOrder, ...limits });
        return {
          ...sandbox,
          journal,
          room,
          actions: sandboxActions,
          codeOf: requestCode,
          controls,
          readInput: readControlInput,
        };
      },
    };
  },
  createWorlds,
  controlRoutes,
};
