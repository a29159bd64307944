import { once } from 'node:events';
import { type Flags, readConfig, startServer } from '@topup-kit/server';
import { type Command, Option } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { chooseStore } from '../../store/open.ts';
import { flagOptions, readFlags } from './flags.ts';
import { greeting, serverDocument } from './greeting.ts';

/** The store of the profile, where neither a flag nor the environment names one. */
function withStore(flags: Flags, context: CommandContext): Flags {
  const { value, origin } = chooseStore(context, flags.store);
  return origin === 'profile' ? { ...flags, store: value } : flags;
}

/** Serves until the process is asked to stop; a stop that was asked for is no failure. */
async function serve(flags: Flags, context: CommandContext): Promise<void> {
  const config = readConfig(context.io.environment, withStore(flags, context));
  await using server = await startServer(config);
  const answering = { config, server, io: context.io };
  await context.print({ document: serverDocument(answering), screen: () => greeting(answering) });
  if (context.io.signal && !context.io.signal.aborted) await once(context.io.signal, 'abort');
  context.remark('Stopping: requests under way are answered first. Once more ends at once.');
}

export const defineServe: Define = (serveCommand, io) => {
  serveCommand.addOption(
    new Option('--sandbox', 'play: --mode sandbox, with a well-known key').conflicts('mode'),
  );
  for (const option of flagOptions) serveCommand.addOption(option);
  serveCommand
    .addHelpText(
      'after',
      '\nFlags win over the environment, and that over the store of the profile.\nTOPUP_API_KEY sets a further key for a sandbox.',
    )
    .action((options: Record<string, string | true>, command: Command) =>
      serve(readFlags(options), contextOf(io, command)),
    );
  addExample(serveCommand, io, 'serve --sandbox --port 4100');
};
