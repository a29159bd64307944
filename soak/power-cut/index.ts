import type { DatabaseSync } from 'node:sqlite';
import { seededRandom } from '@topup-kit/core/platform';
import { sha256Hex } from '../../packages/server/src/internal.ts';
import { createCheck } from '../disk/check.ts';
import { Replay } from '../disk/crash-states.ts';
import type { Soak } from '../soak.ts';
import { record } from './record.ts';

export interface PowerCuts {
  seed: number;
  /** Minimum number of disk states to check. */
  states: number;
  /** Interval of changes after which the power is cut; after every change by default. */
  every?: number;
  /** Changes how the database is opened, to check that lost data is detected. */
  weaken?: (db: DatabaseSync) => void;
  /** Called after each state. */
  checked?: (states: number) => void;
}

export interface PowerCutResult {
  recordings: number;
  states: number;
  /** Number of states with unsynced data. */
  unsynced: number;
  /** Number of acknowledged orders that were checked in all states. */
  orders: number;
}

/** Number of disk states to try at each moment of a recording. */
const statesEach = 2;

/**
 * Records all writes and syncs of a store, cuts the power after each of these changes, and checks the possible states of the disk: unsynced
 * data is dropped, reordered or torn.
 *
 * @throws Error that says what was lost, and after which change.
 */
export async function cutPower({
  seed,
  states,
  every = 1,
  weaken,
  checked,
}: PowerCuts): Promise<PowerCutResult> {
  using store = createCheck();
  const result = { recordings: 0, states: 0, unsynced: 0, orders: 0 };
  while (result.states < states) {
    const name = `${seed}-${++result.recordings}`;
    const { changes, dumps, acknowledged } = await record({ seed: name, weaken });
    const replay = new Replay(seededRandom(sha256Hex, `${name} cuts`));
    let last = 0;
    for (const [index, change] of changes.entries()) {
      replay.apply(change);
      while ((acknowledged[last]?.after ?? Number.POSITIVE_INFINITY) <= index + 1) last += 1;
      const commit = acknowledged[last - 1]?.commit ?? 0;
      // The set-up of a new store has the same steps in each recording.
      if ((commit === 0 && result.recordings > 1) || index % every > 0) continue;
      for (let state = 0; state < statesEach; state += 1) {
        const wrong = await store.check(replay.cut(), { dumps, acknowledged: commit });
        if (wrong !== null)
          throw new Error(
            `recording ${name}, power cut after change ${index + 1} of ${changes.length} (${change.kind}), state ${state + 1}: ${wrong}`,
          );
        result.states += 1;
        result.orders += dumps[commit]?.orders.length ?? 0;
        if (replay.hasUnsynced()) result.unsynced += 1;
        checked?.(result.states);
      }
    }
  }
  return result;
}

const bar = 20_000;
const formatted = (number: number): string => number.toLocaleString('en');

export const powerCut: Soak = {
  name: 'power-cut',
  takesSeed: true,
  about: `Cuts the power at every write and sync of the file store, and opens ${formatted(bar)} disks that this may leave.`,
  async run({ seed, progress }) {
    const { recordings, states, unsynced, orders } = await cutPower({
      seed,
      states: bar,
      checked: (count) => progress(Math.min(1, count / bar), `${count} states`),
    });
    return `${formatted(states)} states of the disk after ${recordings} recordings, ${formatted(unsynced)} of them with changes that were not synced: none of ${formatted(orders)} acknowledged orders was lost, and none was stored in part.`;
  },
};
