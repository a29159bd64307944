import { once } from 'node:events';
import type { Command } from 'commander';
import type { Service } from '../../client.ts';
import { addExample, programName } from '../../command-line.ts';
import { chooseBaseUrl } from '../../connection.ts';
import { usageProblem } from '../../errors/problem.ts';
import { askableTerminal } from '../../input/may-ask.ts';
import { createPrompts, type Prompts } from '../../input/prompts.ts';
import type { Io } from '../../io.ts';
import { chooseProfile } from '../../settings/choose-profile.ts';
import { sandboxKey } from '../../settings/sandbox-key.ts';
import type { Define } from '../define.ts';
import { findSandbox, type GuideSandbox } from './find-sandbox.ts';
import { firstOrder } from './first-order.ts';

const goodbye = ({ isOurs }: GuideSandbox, { commandLine }: Service, program: string): string =>
  [
    '',
    'That was the whole way of an order.',
    `More to try${isOurs ? ', from another terminal' : ''}:`,
    ...['games list', 'open docs', '--help'].map((args) => `  ${commandLine(args)}`),
    '',
    ...(isOurs
      ? ['The sandbox runs until you press Ctrl+C.', 'It forgets everything then; one that remembers:']
      : ['To connect to a service:']),
    `  ${program} ${isOurs ? 'serve --sandbox' : 'login'}`,
    '',
  ].join('\n');

/**
 * The sandbox is asked whatever is configured, with its own key alone: neither a play order may reach a real service, nor
 * a real key the sandbox.
 */
function askOnly(baseUrl: string, io: Io, command: Command): Io {
  const { value: configured } = chooseBaseUrl(io, command, chooseProfile(io, command));
  if (configured !== baseUrl) command.parent?.setOptionValue('baseUrl', baseUrl);
  return { ...io, environment: { ...io.environment, TOPUP_API_KEY: sandboxKey } };
}

/** Leads through a first order in a sandbox. */
async function tryOut(prompts: Prompts, io: Io, command: Command): Promise<void> {
  await using sandbox = await findSandbox(io);
  const { baseUrl, isOurs } = sandbox;
  io.stderr.write(
    isOurs
      ? `A sandbox runs at ${baseUrl} now:\nno real money, and nothing is delivered.\n\n`
      : `A sandbox runs at ${baseUrl} already.\n\n`,
  );
  const service = await firstOrder(sandbox, prompts, askOnly(baseUrl, io, command), command);
  io.stderr.write(goodbye(sandbox, service, programName(io)));
  if (isOurs && io.signal && !io.signal.aborted) await once(io.signal, 'abort');
}

/** Asks somebody who has configured nothing where to go. */
async function guide(io: Io, command: Command): Promise<void> {
  const terminal = askableTerminal(io, command);
  const program = programName(io);
  if (!terminal)
    throw usageProblem(
      'guide asks questions, and there is nobody at a terminal to ask.',
      `\`${program} serve --sandbox\` starts a sandbox, \`${program} orders create --help\` tells what an order takes.`,
    );
  const prompts = await createPrompts(io, terminal);
  const way = await prompts.choose('What would you like?', [
    { value: 'try', label: 'Try it', hint: 'a sandbox on this machine, and a first order' },
    { value: 'login', label: 'Connect to a service', hint: 'with its base URL and your key' },
    { value: 'help', label: 'See the commands' },
  ]);
  if (way === 'try') return tryOut(prompts, io, command);
  if (way === 'help') return command.parent?.help();
  const { login } = await import('../login/login.ts');
  return login(io, command);
}

export const defineGuide: Define = (command, io) => {
  command
    .addHelpText('after', '\nThis is what `topup` alone does at a terminal where nothing is configured.')
    .action((_options: object, self: Command) => guide(io, self));
  addExample(command, io, 'guide');
};
