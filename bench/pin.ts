import { spawnSync } from 'node:child_process';

/** Parses the numbers in a list such as `0,2-3`. */
const numbers = (list: string): number[] =>
  list.split(',').flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });

/** Returns the cores that this process may use; none if the system can't report them. */
function usableCores(): number[] {
  const { status, stdout } = spawnSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' });
  return status === 0 ? numbers(stdout.slice(stdout.lastIndexOf(':') + 1).trim()) : [];
}

const cores = usableCores();
const [loadCore, serverCore] = cores;

/** True if the load generator has its own core. */
export const isPinned = serverCore !== undefined;

/** Remark in a measure that needs all cores for its servers. */
export const notPinned =
  'Processes were not pinned, because PostgreSQL, the servers and the clients share the cores. The CPU time is that of the servers alone.';

/** Remark in the other measures about how processes are pinned. */
export const pinning =
  serverCore === undefined
    ? 'Processes were not pinned: that needs taskset and two cores.'
    : `The load generator was pinned to core ${loadCore}, each server to core ${serverCore}.`;

/** Returns the program and the arguments that start Node on the core of the servers, or simply Node. */
export const nodeOnServerCore = (nodeArgs: readonly string[]): { program: string; args: string[] } =>
  serverCore === undefined
    ? { program: process.execPath, args: [...nodeArgs] }
    : { program: 'taskset', args: ['-c', String(serverCore), process.execPath, ...nodeArgs] };

const pinThisProcess = (list: readonly number[]): void => {
  spawnSync('taskset', ['-acp', list.join(','), String(process.pid)]);
};

/** Pins this process, which generates the load, to its own core until the returned object is disposed of. */
export function pinLoadGenerator(): Disposable {
  if (loadCore === undefined || serverCore === undefined) return { [Symbol.dispose]() {} };
  pinThisProcess([loadCore]);
  return { [Symbol.dispose]: () => pinThisProcess(cores) };
}
