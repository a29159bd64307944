import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { exitCodes, QuietExit } from '../../errors/cli-error.ts';
import { fromThrown } from '../../errors/usage.ts';
import { stopped } from '../../input/prompts.ts';
import type { Io } from '../../io.ts';
import { withProgress } from '../../output/progress.ts';
import type { OutputStyle, Style } from '../../output/style.ts';
import { wrap } from '../../output/text.ts';
import {
  type Check,
  checkConfiguration,
  checkOrders,
  checkSecrets,
  checkService,
  checkStore,
  checkVersions,
  failed,
  type State,
  skipped,
} from './checks.ts';

const signs: Record<State, { sign: string; style: Style }> = {
  ok: { sign: '✓ ok', style: 'good' },
  warning: { sign: '! warning', style: 'waiting' },
  failed: { sign: '✗ failed', style: 'bad' },
  skipped: { sign: '- skipped', style: 'quiet' },
};

const signWidth = 9;
const nameWidth = 13;
const indent = ' '.repeat(signWidth + nameWidth + 4);

/** The wrapped lines of a text, to the right of the names. */
const beside = (text: string, columns: number): string[] =>
  wrap(text, columns - indent.length)
    .trimEnd()
    .split('\n');

function checkScreen({ name, state, found, fix }: Check, { paint, columns = 80 }: OutputStyle): string {
  const { sign, style } = signs[state];
  const head = `${paint(style, sign.padEnd(signWidth))}  ${name.padEnd(nameWidth)}  `;
  const fixes = fix?.split('\n').flatMap((line) => beside(line, columns)) ?? [];
  return [
    `${head}${beside(found, columns).join(`\n${indent}`)}\n`,
    ...fixes.map((line) => `${indent}${paint('title', line)}\n`),
  ].join('');
}

const doctorScreen = (checks: readonly Check[], style: OutputStyle): string =>
  checks.map((check) => checkScreen(check, style)).join('');

function doctorSummary(checks: readonly Check[]): string {
  const count = (state: State): number => checks.filter((check) => check.state === state).length;
  const [failures, warnings] = [count('failed'), count('warning')];
  if (failures > 0) return `${failures} of ${checks.length} checks failed.`;
  return warnings > 0 ? 'Everything works; see the warnings.' : 'No problems found.';
}

/** A check that throws is a finding, and the others still run. */
async function unbroken(io: Io, name: string, check: () => Promise<Check | Check[]>): Promise<Check[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    if (io.signal?.aborted) throw stopped(io.signal);
    const { message, details } = fromThrown(error);
    return [failed(name, message, details.hint ?? null)];
  }
}

async function checkAll(context: CommandContext): Promise<Check[]> {
  const configuration = checkConfiguration(context);
  const local = [checkVersions(), configuration];
  // Without a valid configuration, service and store are unknown.
  if (configuration.state === 'failed')
    return [...local, ...['service', 'store'].map((name) => skipped(name, 'the configuration comes first'))];
  return [
    ...local,
    ...(await unbroken(context.io, 'service', () => checkService(context))),
    ...(await unbroken(context.io, 'store', () => checkStore(context))),
    ...(await unbroken(context.io, 'secrets', () => checkSecrets(context.io))),
    ...(await unbroken(context.io, 'orders', async () => checkOrders(context.io))),
  ];
}

export const doctor = defineCommand({
  help: `It checks the service and the store that other commands would use, and changes
nothing. Exits with 1 when a check failed; warnings are not failures.`,
  example: 'doctor --json',
  async run(context) {
    const checks = await withProgress(context, 'Checking', () => checkAll(context));
    await context.print({ document: { checks }, screen: (style) => doctorScreen(checks, style) });
    context.remark(`\n${doctorSummary(checks)}`);
    if (checks.some(({ state }) => state === 'failed')) throw new QuietExit(exitCodes.failure);
  },
});
