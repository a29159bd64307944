import { once } from 'node:events';
import type { Command } from 'commander';
import type { Service } from '../../client.ts';
import { chooseProfile } from '../../config/resolve.ts';
import { type CommandContext, contextOf, createContext } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { usageProblem } from '../../errors/cli-error.ts';
import { createPrompts, type Prompts } from '../../input/prompts.ts';
import { programName } from '../../io.ts';
import { chooseBaseUrl, sandboxKey } from '../../service/connection.ts';
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
function askOnly(baseUrl: string, context: CommandContext): CommandContext {
  const { io, globals } = context;
  const { value: configured } = chooseBaseUrl(context, chooseProfile(context));
  return createContext(
    { ...io, environment: { ...io.environment, TOPUP_API_KEY: sandboxKey } },
    configured === baseUrl ? globals : { ...globals, baseUrl },
  );
}

/** Leads through a first order in a sandbox. */
async function tryOut(prompts: Prompts, context: CommandContext): Promise<void> {
  await using sandbox = await findSandbox(context.io);
  const { baseUrl, isOurs } = sandbox;
  context.io.stderr.write(
    isOurs
      ? `A sandbox runs at ${baseUrl} now:\nno real money, and nothing is delivered.\n\n`
      : `A sandbox runs at ${baseUrl} already.\n\n`,
  );
  const service = await firstOrder(sandbox, prompts, askOnly(baseUrl, context));
  context.io.stderr.write(goodbye(sandbox, service, programName(context.io)));
  if (isOurs && context.io.signal && !context.io.signal.aborted) await once(context.io.signal, 'abort');
}

/** Asks somebody who has configured nothing where to go. */
async function guide(context: CommandContext, printHelp: () => void): Promise<void> {
  const terminal = context.promptTerminal;
  const program = programName(context.io);
  if (!terminal)
    throw usageProblem(
      'guide asks questions, and there is nobody at a terminal to ask.',
      `\`${program} serve --sandbox\` starts a sandbox, \`${program} orders create --help\` tells what an order takes.`,
    );
  const prompts = await createPrompts(context.io, terminal);
  const way = await prompts.choose('What would you like?', [
    { value: 'try', label: 'Try it', hint: 'a sandbox on this machine, and a first order' },
    { value: 'login', label: 'Connect to a service', hint: 'with its base URL and your key' },
    { value: 'help', label: 'See the commands' },
  ]);
  if (way === 'try') return tryOut(prompts, context);
  if (way === 'help') return printHelp();
  const { login } = await import('../login.ts');
  return login(context);
}

export const defineGuide: Define = (command, io) => {
  command
    .addHelpText('after', '\nThis is what `topup` alone does at a terminal where nothing is configured.')
    .action((_options: object, self: Command) => guide(contextOf(io, self), () => self.parent?.help()));
  addExample(command, io, 'guide');
};
