import { once } from 'node:events';
import type { CommandContext } from '../../context.ts';
import { type Define, defineCommand } from '../../define-command.ts';
import { CliError, type ExitCode, exitCodes, usageError } from '../../errors/cli-error.ts';
import { createPrompts, type Prompts } from '../../input/prompts.ts';
import { programName } from '../../io.ts';
import { layOut } from '../../output/layout.ts';
import { styleOf } from '../../output/style.ts';
import { printable, shellWord } from '../../output/text.ts';
import type { Service } from '../../service/client.ts';
import { chooseBaseUrl, chooseConnection } from '../../service/connection.ts';
import { type ChosenSandbox, isSandbox, localSandbox, runningSandbox } from '../../service/local-sandbox.ts';
import { createOrder } from '../orders/create.ts';
import { watchOrder } from '../orders/watch.ts';
import { connectSandbox } from './controls.ts';
import { performAction } from './sandbox.ts';

/** Returns the configured service if it is a sandbox. Only the key of this service is sent to it. */
async function configuredSandbox(context: CommandContext): Promise<ChosenSandbox | undefined> {
  const { origin, source, value } = chooseBaseUrl(context);
  if (origin === 'default') return undefined;
  const connection = await chooseConnection(context).catch(() => undefined);
  if (connection && (await isSandbox(connection, context.io)))
    return runningSandbox(connection.baseUrl, context);
  context.remark(
    `${source} is ${printable(value)}, where no sandbox responds, so this trial uses a sandbox on this machine.\n`,
  );
  return undefined;
}

/** Pays as a customer of the sandbox, or lets the user pay on the payment page. */
async function pay(context: CommandContext, prompts: Prompts, orderId: string): Promise<void> {
  const choice = await prompts.choose('In a real shop, the customer scans this code and pays. What next?', [
    { value: 'now', label: 'Pay it for me', hint: 'as the customer of a sandbox' },
    { value: 'page', label: "I'll pay it on its page", hint: 'open the address above, and press Pay there' },
  ]);
  if (choice === 'page') return;
  const controls = await connectSandbox(context);
  await performAction(controls, 'pay', orderId);
}

const stops: readonly ExitCode[] = [exitCodes.interrupted, exitCodes.terminated];

/** Returns the message about an order when the user interrupts. */
function interrupted(problem: CliError, orderId: string, isOurs: boolean, watch: string): CliError {
  if (!stops.includes(problem.details.exitCode)) return problem;
  const hint = isOurs ? 'The sandbox has ended too, so the order is gone.' : `To follow it:\n  ${watch}`;
  return problem.with({ hint }, `Stopped; ${orderId} was placed.`);
}

/** Places an order, pays it and watches it until it ends. Returns the service. */
async function firstOrder(prompts: Prompts, { context, isOurs }: ChosenSandbox): Promise<Service> {
  const created = await createOrder(context, {});
  if (!created) throw new Error('only a dry run places no order');
  const { orderId, service } = created;
  context.io.stderr.write('\n');
  try {
    await pay(context, prompts, orderId);
    await watchOrder(context, service, { orderId, until: 'final', timeout: undefined });
    return service;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw interrupted(error, orderId, isOurs, service.commandLine(`orders watch ${shellWord(orderId)}`));
  }
}

const goodbye = ({ isOurs }: ChosenSandbox, { commandLine }: Service, program: string): string =>
  [
    '',
    'That was a complete order, from placing to delivery.',
    `More to try${isOurs ? ', from another terminal' : ''}:`,
    ...['games list', 'open docs', '--help'].map((args) => `  ${commandLine(args)}`),
    '',
    ...(isOurs
      ? [
          'The sandbox runs until you press Ctrl+C.',
          'Its orders are then lost. To keep them, start one with a store:',
        ]
      : ['To connect to a service:']),
    `  ${program} ${isOurs ? 'serve --sandbox' : 'login'}`,
    '',
  ].join('\n');

async function tryOut(context: CommandContext, prompts: Prompts): Promise<void> {
  const { io } = context;
  await using sandbox = (await configuredSandbox(context)) ?? (await localSandbox(context));
  const { baseUrl, isOurs } = sandbox;
  context.remark(
    isOurs
      ? `A sandbox runs at ${baseUrl} now:\nno real money, and nothing is delivered.\n`
      : `A sandbox runs at ${baseUrl} already.\n`,
  );
  const service = await firstOrder(prompts, sandbox);
  io.stderr.write(layOut(goodbye(sandbox, service, programName(io)), styleOf(io, io.stderr).columns));
  if (isOurs && io.signal && !io.signal.aborted) await once(io.signal, 'abort');
}

async function runGuide(context: CommandContext, printHelp: () => void): Promise<void> {
  const { io, promptTerminal } = context;
  const program = programName(io);
  if (!promptTerminal)
    throw usageError(
      'guide asks questions, so it needs a terminal.',
      `\`${program} serve --sandbox\` starts a sandbox, \`${program} orders create --help\` shows what an order needs.`,
    );
  const prompts = await createPrompts(io, promptTerminal);
  const choice = await prompts.choose('What would you like?', [
    { value: 'try', label: 'Try it', hint: 'a sandbox on this machine, and a first order' },
    { value: 'login', label: 'Connect to a service', hint: 'with its base URL and your key' },
    { value: 'help', label: 'See the commands' },
  ]);
  if (choice === 'try') return tryOut(context, prompts);
  if (choice === 'help') return printHelp();
  const { login } = await import('../login.ts');
  return login(context);
}

export const noun: Define = (command, io) =>
  defineCommand({
    help: '`topup` alone does the same, at a terminal where nothing is configured.',
    example: 'guide',
    run: (context) => runGuide(context, () => command.parent?.help()),
  })(command, io);
