import { existsSync } from 'node:fs';
import type { Inspection } from '@topup-kit/server';
import type { CommandContext } from '../../context.ts';
import { Problem } from '../../errors/cli-error.ts';
import { chooseStore, chooseStoreFile, onSameStore } from '../../store/open.ts';
import { accessHint } from '../backup/on-store-file.ts';
import { advice } from '../db/advice.ts';
import { type Check, failed, good, skipped, warning } from './check.ts';

const name = 'store';

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

function judged(path: string, inspection: Inspection, topup: (args: string) => string): Check {
  const { orders, activeKeys, server, overdue, openReconciliations } = inspection;
  const found = [
    `${path} is whole: ${many(orders, 'order')}, ${many(activeKeys, 'active key')}`,
    server ? 'a server runs on it' : 'no server runs on it',
    ...(overdue > 0 && !server ? [`${many(overdue, 'thing')} in it should have happened`] : []),
    ...(openReconciliations > 0 ? [`${many(openReconciliations, 'payment')} to settle or to return`] : []),
  ].join('; ');
  const lines = advice(inspection, topup);
  return lines.length === 0 ? good(name, found) : warning(name, found, lines.join('\n'));
}

async function lookAt(path: string, context: CommandContext): Promise<Check> {
  const { inspectStore, StoreFileError } = await import('@topup-kit/server');
  try {
    return judged(path, await inspectStore(path, { signal: context.io.signal }), onSameStore(context, {}));
  } catch (error) {
    if (!(error instanceof StoreFileError)) throw error;
    const { problem, message } = error;
    const byBackup = 'A damaged store is put right by a backup; see `topup restore --help`.';
    return failed(name, message, problem === 'not_writable' ? accessHint : byBackup);
  }
}

/** How the store is that operators' commands would work on, if there is one. */
export async function checkStore(context: CommandContext): Promise<Check> {
  const { value, origin, source } = chooseStore(context, undefined);
  if (value === 'memory:') return skipped(name, `${value} is inside a server's process`);
  try {
    const { path } = await chooseStoreFile(context, {});
    if (existsSync(path)) return await lookAt(path, context);
    if (origin === 'default') return skipped(name, `no ${path}; only operators' commands need one`);
    return warning(
      name,
      `there is no ${path}, which ${source} names`,
      'Start a server on it, or name another.',
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return failed(name, error.message, error.details.hint ?? null);
  }
}
