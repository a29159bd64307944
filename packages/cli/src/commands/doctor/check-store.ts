import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Inspection } from '@topup-kit/server';
import type { Command } from 'commander';
import { programName } from '../../command-line.ts';
import type { Io } from '../../io.ts';
import { chooseStore } from '../../store.ts';
import { type Check, failed, good, skipped, warning } from './check.ts';

const name = 'store';

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

function judged(path: string, inspection: Inspection, program: string): Check {
  const { orders, activeKeys, server, overdue, openReconciliations } = inspection;
  const running = server ? 'a server runs on it' : 'no server runs on it';
  const found = `${path} is whole: ${many(orders, 'order')}, ${many(activeKeys, 'active key')}; ${running}`;
  if (overdue > 0 && !server)
    return warning(
      name,
      `${found}, and ${many(overdue, 'thing')} in it should have happened`,
      `Start it:\n${program} serve`,
    );
  if (openReconciliations > 0)
    return warning(
      name,
      `${found}; ${many(openReconciliations, 'payment')} to settle or to return`,
      `See them:\n${program} orders reconcile`,
    );
  return good(name, found);
}

/** How the store is that operators' commands would work on, if there is one. */
export async function checkStore(io: Io, command: Command): Promise<Check> {
  const { value, origin, source } = chooseStore(io, command, undefined);
  const file = /^file:(.+)$/.exec(value)?.[1];
  if (file === undefined) return skipped(name, `${value} is inside a server's process`);
  const path = resolve(file);
  if (!existsSync(path)) {
    if (origin === 'default') return skipped(name, `no ${path}; only operators' commands need one`);
    return warning(
      name,
      `there is no ${path}, which ${source} names`,
      'Start a server on it, or name another.',
    );
  }
  const { inspectStore, StoreFileError } = await import('@topup-kit/server');
  try {
    return judged(path, await inspectStore(path, { signal: io.signal }), programName(io));
  } catch (error) {
    if (!(error instanceof StoreFileError)) throw error;
    return failed(
      name,
      error.message,
      'A damaged store is put right by a backup; see `topup restore --help`.',
    );
  }
}
