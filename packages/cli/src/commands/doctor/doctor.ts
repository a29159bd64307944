import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { exitCodes, QuietExit } from '../../errors/cli-error.ts';
import { failureProblem } from '../../errors/usage.ts';
import { stopped } from '../../input/prompts.ts';
import type { Io } from '../../io.ts';
import { withProgress } from '../../output/progress.ts';
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

async function checkAll(context: CommandContext): Promise<Check[]> {
  const configuration = checkConfiguration(context);
  const local = [checkVersions(), configuration];
  // Which service and which store are meant, nobody knows then.
  if (configuration.state === 'failed')
    return [...local, ...['service', 'store'].map((name) => skipped(name, 'the configuration comes first'))];
  return [
    ...local,
    ...(await unbroken(context.io, 'service', () => checkService(context))),
    ...(await unbroken(context.io, 'store', () => checkStore(context))),
    ...(await unbroken(context.io, 'orders', async () => checkOrders(context.io))),
  ];
}

export const doctor = defineCommand({
  help: `It asks the service that other commands would ask, looks at the store that
operators' commands would work on, and changes nothing. Exits with 1 when a
check failed; warnings are no failure.`,
  example: 'doctor --json',
  async run(context) {
    const checks = await withProgress(context, 'Looking', () => checkAll(context));
    await context.print({ document: { checks }, screen: (look) => doctorScreen(checks, look) });
    context.remark(`\n${doctorSummary(checks)}`);
    if (checks.some(({ state }) => state === 'failed')) throw new QuietExit(exitCodes.failure);
  },
});
