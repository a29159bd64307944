import { readFileSync } from 'node:fs';

/** A process, told apart from a later one that got the same id. */
export interface Holder {
  pid: number;
  /** When it started, in the system's own count; `-` where the system doesn't tell. */
  started: string;
}

/** How a process is known to the system; undefined where the system has no such table. */
function readStat(pid: number): { state: string; started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before them is in brackets, and may hold spaces and brackets itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '-' };
  } catch {
    return undefined;
  }
}

/** This process. */
export function ownHolder(): Holder {
  return { pid: process.pid, started: readStat(process.pid)?.started ?? '-' };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether another process than this one is still running. */
export function isRunningElsewhere({ pid, started }: Holder): boolean {
  const own = ownHolder();
  if (pid === own.pid && started === own.started) return false;
  if (started === '-') return exists(pid);
  const there = readStat(pid);
  // A zombie ended; only its parent has not asked yet how.
  return there !== undefined && there.started === started && !['Z', 'X'].includes(there.state);
}
