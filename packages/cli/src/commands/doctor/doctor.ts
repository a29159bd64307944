import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { QuietExit } from '../../errors/quiet-exit.ts';
import { failureProblem } from '../../errors/to-problem.ts';
import { stopped } from '../../input/prompts.ts';
import type { Io } from '../../io.ts';
import { print, remark } from '../../output/print.ts';
import { withProgress } from '../../output/progress.ts';
import type { Define } from '../define.ts';
import { type Check, failed, skipped } from './check.ts';
import { checkConfiguration } from './check-configuration.ts';
import { checkOrders } from './check-orders.ts';
import { checkService } from './check-service.ts';
import { checkStore } from './check-store.ts';
import { checkVersions } from './check-versions.ts';
import { doctorScreen, doctorSummary } from './screen.ts';

/** A check that breaks is a finding too, and hinders no other. */
async function unbroken(io: Io, name: string, check: () => Promise<Check | Check[]>): Promise<Check[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    if (io.signal?.aborted) throw stopped(io.signal);
    const { message, details } = failureProblem(error);
    return [failed(name, message, details.hint ?? null)];
  }
}

async function checkAll(io: Io, command: Command): Promise<Check[]> {
  const configuration = checkConfiguration(io, command);
  const local = [checkVersions(), configuration];
  // Which service and which store are meant, nobody knows then.
  if (configuration.state === 'failed')
    return [...local, ...['service', 'store'].map((name) => skipped(name, 'the configuration comes first'))];
  return [
    ...local,
    ...(await unbroken(io, 'service', () => checkService(io, command))),
    ...(await unbroken(io, 'store', () => checkStore(io, command))),
    ...(await unbroken(io, 'orders', async () => checkOrders(io))),
  ];
}

async function doctor(io: Io, command: Command): Promise<void> {
  const checks = await withProgress(io, command, 'Looking', () => checkAll(io, command));
  await print(io, command, { document: { checks }, screen: (look) => doctorScreen(checks, look) });
  remark(io, command, `\n${doctorSummary(checks)}`);
  if (checks.some(({ state }) => state === 'failed')) throw new QuietExit(exitCodes.failure);
}

export const defineDoctor: Define = (command, io) => {
  command
    .addHelpText(
      'after',
      `
It asks the service that other commands would ask, looks at the store that
operators' commands would work on, and changes nothing. Exits with 1 when a
check failed; warnings are no failure.`,
    )
    .action((_options: object, self: Command) => doctor(io, self));
  addExample(command, io, 'doctor --json');
};
