import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { exitCodes, QuietExit } from '../../errors/cli-error.ts';
import { stopped } from '../../input/prompts.ts';
import { type Io, programName } from '../../io.ts';
import { counted } from '../../output/format.ts';
import { withProgress } from '../../output/progress.ts';
import type { OutputStyle, Style } from '../../output/style.ts';
import { visible, wrap } from '../../output/text.ts';
import { fromThrown } from '../../service/to-cli-error.ts';
import { type Check, type Finding, failed, type State, skipped } from './check.ts';
import { compare, openLastRun, subjectOf } from './last-run.ts';
import { checkService } from './service.ts';
import { checkStore } from './store.ts';
import { checkConfiguration, checkOrders, checkSecrets, checkVersions } from './this-machine.ts';

const signs: Record<State, { sign: string; style: Style }> = {
  ok: { sign: '✓ ok', style: 'good' },
  warning: { sign: '! warning', style: 'waiting' },
  failed: { sign: '✗ failed', style: 'bad' },
  skipped: { sign: '- skipped', style: 'quiet' },
};

const signWidth = 9;
const nameWidth = 13;
const indent = ' '.repeat(signWidth + nameWidth + 4);

/** Wraps a string in the column to the right of the names. */
const beside = (text: string, columns: number): string[] =>
  wrap(text, columns - indent.length)
    .trimEnd()
    .split('\n');

/** Formats a check. A command has its own line without wrapping, so that it can be copied. */
function checkScreen({ name, state, found, fix }: Check, program: string, look: OutputStyle): string {
  const { paint, columns = 80 } = look;
  const { sign, style } = signs[state];
  const head = `${paint(style, sign.padEnd(signWidth))}  ${name.padEnd(nameWidth)}  `;
  const fixes = (fix ?? '').split('\n').flatMap((line) => {
    if (line.startsWith(`${program} `)) return [`  ${paint('title', visible(line))}\n`];
    return line === '' ? [] : beside(line, columns).map((part) => `${indent}${paint('title', part)}\n`);
  });
  return [`${head}${beside(found, columns).join(`\n${indent}`)}\n`, ...fixes].join('');
}

const doctorScreen = (checks: readonly Check[], { io }: CommandContext, style: OutputStyle): string =>
  checks.map((check) => checkScreen(check, programName(io), style)).join('');

function doctorSummary(checks: readonly Check[]): string {
  const count = (state: State): number => checks.filter((check) => check.state === state).length;
  const [failures, warnings] = [count('failed'), count('warning')];
  if (failures > 0) return `${failures} of ${checks.length} checks failed.`;
  return warnings > 0 ? 'Everything works; see the warnings.' : 'No problems found.';
}

/** Runs a check. An exception becomes a finding, and the other checks still run. */
async function unbroken(io: Io, name: string, check: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    if (io.signal?.aborted) throw stopped(io.signal);
    const { message, details } = fromThrown(error);
    return [failed(name, message, details.hint ?? null)];
  }
}

async function checkAll(context: CommandContext): Promise<Finding[]> {
  const { io } = context;
  const configuration = await unbroken(io, 'configuration', async () => checkConfiguration(context));
  const local = [checkVersions(), ...configuration];
  // If the configuration is invalid, service and store are unknown.
  if (configuration.some(hasFailed))
    return [
      ...local,
      ...['service', 'store'].map((name) => skipped(name, 'not checked before the configuration is valid')),
    ];
  return [
    ...local,
    ...(await unbroken(io, 'service', () => checkService(context))),
    ...(await unbroken(io, 'store', () => checkStore(context))),
    ...(await unbroken(io, 'secrets', () => checkSecrets(io))),
    ...(await unbroken(io, 'orders', async () => checkOrders(io))),
  ];
}

const withoutDetails = ({ about: _about, ...check }: Finding): Check => check;

const hasFailed = ({ state }: Check): boolean => state === 'failed';

function endWith(checks: readonly Check[]): void {
  if (checks.some(hasFailed)) throw new QuietExit(exitCodes.failure);
}

/** Prints the findings that the last run with `--new` did not have. */
async function printNews(context: CommandContext, findings: readonly Finding[]): Promise<void> {
  const last = openLastRun(context.io, subjectOf(context));
  const { checks, fresh, standing, over, problems } = compare(findings, last.problems);
  await context.print({
    document: { checks, standing, over },
    screen: (style) => doctorScreen(checks, context, style),
  });
  const parts = [
    fresh === 0 ? 'Nothing new' : counted(fresh, 'new problem'),
    ...(standing > 0 ? [`${standing} known from before`] : []),
    ...(over > 0 ? [`${over} over`] : []),
  ];
  context.remark(`${checks.length === 0 ? '' : '\n'}${parts.join(', ')}.`);
  last.save(problems);
  endWith(checks);
}

export const noun = defineCommand({
  build: (command) =>
    command.option('--new', "only problems that this user's last run with --new did not find"),
  help: `It checks the service and the store that other commands would use, and changes
nothing there. Exits with 1 when a check failed; warnings are not failures.

With --new, it prints only problems that the last run with --new did not find,
and exits with 1 only for these problems. Use this for scheduled checks, so that an
open problem doesn't hide a new one. It remembers problems in this user's state
folder (XDG_STATE_HOME, or ~/.local/state), for each store and service.`,
  example: 'doctor --json',
  async run(context, { new: onlyNew }) {
    const findings = await withProgress(context, 'Checking', () => checkAll(context));
    if (onlyNew) return printNews(context, findings);
    const checks = findings.map(withoutDetails);
    await context.print({ document: { checks }, screen: (style) => doctorScreen(checks, context, style) });
    context.remark(`\n${doctorSummary(checks)}`);
    endWith(checks);
  },
});
