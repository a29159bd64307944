import { readFileSync } from 'node:fs';

/** Identifies a process, also after its id was given to a later one. */
export interface ProcessIdentity {
  pid: number;
  /** Its start time in the system's own unit; `-` where the system has none. */
  started: string;
}

/** What /proc says about a process; undefined where there is no such process, or no /proc. */
function readStat(pid: number): { state: string; started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name comes before them in brackets, and may itself contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '-' };
  } catch {
    return undefined;
  }
}

export function currentProcess(): ProcessIdentity {
  return { pid: process.pid, started: readStat(process.pid)?.started ?? '-' };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process can't be signalled, but exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether another process than this one is still running. */
export function isRunningElsewhere({ pid, started }: ProcessIdentity): boolean {
  const own = currentProcess();
  if (pid === own.pid && started === own.started) return false;
  if (started === '-') return exists(pid);
  const found = readStat(pid);
  // A zombie has ended; only its parent has not read its exit status yet.
  return found !== undefined && found.started === started && !['Z', 'X'].includes(found.state);
}
