import type { Command } from 'commander';
import { changeProfile, profileToChange } from '../../config/edit.ts';
import { maskedKey, overruled } from '../../config/resolve.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { type Io, programName } from '../../io.ts';
import { list } from '../../output/table.ts';
import { printable } from '../../output/text.ts';
import { serviceAt } from '../../service/client.ts';
import { type Connection, isLoopback } from '../../service/connection.ts';
import { askCredentials } from './ask-credentials.ts';

/** Asks the service for its games; a key that may do other things alone is a good one too. */
async function checkKey(context: CommandContext, connection: Connection): Promise<void> {
  const service = await serviceAt(context, connection);
  try {
    await service.ask((client, options) => client.games.list(options));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.details.code === 'FORBIDDEN') return;
    throw explained(error, connection);
  }
}

function explained({ message, details }: Problem, { baseUrl }: Connection): Problem {
  if (details.exitCode !== exitCodes.auth)
    return new Problem(message, { ...details, hint: `Nothing was kept. ${details.hint ?? ''}`.trim() });
  return new Problem(`${baseUrl} does not take this key, so nothing was kept.`, {
    ...details,
    hint: 'Copy the key again, whole, and make sure that it is one for this service.',
  });
}

/** Keeps a service and its key in a profile, once the service takes the key. */
export async function login(context: CommandContext): Promise<void> {
  const profile = profileToChange(context);
  const connection = await askCredentials(context, profile);
  const { baseUrl, apiKey } = connection;
  await checkKey(context, connection);
  await changeProfile({
    ...profile,
    change: (before) => ({ ...before, base_url: baseUrl, api_key: apiKey }),
    use: true,
  });
  const key = maskedKey(apiKey);
  await context.print({
    document: { profile: profile.name, base_url: baseUrl, api_key: key, config_file: profile.path },
    screen: (look) =>
      list(
        [
          ['Profile', `${profile.name}, in use from now on`],
          ['Base URL', baseUrl, 'address'],
          ['Key', `${key}, which the service takes`, 'good'],
          ['Kept in', profile.path],
        ],
        look,
      ),
  });
  context.remark(nextSteps(context.io, connection));
}

function nextSteps(io: Io, { baseUrl }: Connection): string {
  const url = new URL(baseUrl);
  const clear =
    url.protocol === 'http:' && !isLoopback(url)
      ? `\n${printable(url.origin)} is not encrypted: whoever listens on the way reads the key.`
      : undefined;
  const wins = overruled(io, 'base_url', 'api_key');
  const next = `\nTo see what it sells:\n  ${programName(io)} games list`;
  return [clear, wins && `\n${wins}`, next].filter((text) => text !== undefined).join('\n');
}

export const defineLogin: Define = (command, io) => {
  command
    .addHelpText(
      'after',
      `
At a terminal it asks for what is missing: the base URL, and the key, which is
not shown. Elsewhere it takes --base-url and --key-file. It asks the service
whether it takes the key, and keeps both in a file that you alone can read.`,
    )
    .action((_options: object, self: Command) => login(contextOf(io, self)));
  addExample(command, io, 'login --profile shop --base-url https://shop.example/api');
};
