import { readFileSync } from 'node:fs';

/** Identifies a process, even if its id was reused. */
export interface ProcessIdentity {
  pid: number;
  /** Its start time in the system's unit; `-` if the system has none. */
  started: string;
}

/** The state of a process from /proc; undefined without such a process, or without /proc. */
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
    // A process of another user exists, but can't be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether the process is still running and is not this one. */
export function isRunningElsewhere({ pid, started }: ProcessIdentity): boolean {
  const own = currentProcess();
  if (pid === own.pid && started === own.started) return false;
  if (started === '-') return exists(pid);
  const running = readStat(pid);
  // A zombie has ended; its parent has not yet read its exit status.
  return running !== undefined && running.started === started && !['Z', 'X'].includes(running.state);
}
