import { Command } from 'commander';
import { type NounGroup, nouns } from './commands/nouns.ts';
import { addGlobalOptions, globalsOf } from './context.ts';
import { minWidthToWrap, setAsksService, typed } from './define-command.ts';
import { exitCodesHelp } from './errors/cli-error.ts';
import { type Io, programName } from './io.ts';
import { readFields } from './output/print.ts';
import { type OutputStyle, styleOf } from './output/style.ts';
import { version } from './version.ts';

const help = (program: string): string => `
Examples:
  ${program} serve --sandbox            start a sandbox
  ${program} games list                 list its games
  ${program} games show mobile-legends  show products and payment methods
  ${program} orders create --help       show what an order needs

Environment:
  TOPUP_BASE_URL  base URL of the service, such as https://shop.example/api
  TOPUP_API_KEY   the API key to use
  TOPUP_PROFILE   profile to use; config list shows where settings come from
  TOPUP_DEBUG     1 shows where an error comes from
  Without base URL and key, topup uses the sandbox on this machine.

${exitCodesHelp}`;

const groups: Record<NounGroup, string> = {
  shop: 'Shop:',
  service: 'Sandbox and server:',
  self: 'Setup and help:',
};

/** Commander's style hooks don't reach texts that are added to the help. */
const paintTitles = (text: string, { paint }: OutputStyle): string =>
  text.replace(/^(Usage:|[A-Z][\w ]*:$)/gm, (title) => paint('title', title));

function createProgram(io: Io): Command {
  const style = styleOf(io, io.stdout);
  const width = style.columns ?? 80;
  const write = (text: string): unknown => io.stdout.write(paintTitles(text, style));
  const program = new Command('topup')
    .description('Games, orders, promos, keys and servers of a top-up service.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .configureHelp({ minWidthToWrap })
    .commandsGroup(groups.self)
    .helpCommand('help [command]', 'Print the help of a command')
    // A wrong `--fields` must be rejected before an order is placed.
    .hook('preAction', (_program, action) => {
      readFields(globalsOf(action));
    })
    .exitOverride()
    .configureOutput({
      writeOut: write,
      // Here, commander only writes the help of a noun without a verb; errors are reported elsewhere.
      writeErr: write,
      outputError: () => {},
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', () => help(programName(io)));
  addGlobalOptions(typed(program));
  return program;
}

/**
 * Creates the command line of `topup`. Loads only the nouns for which `isNamed` is true; of the others, help needs one
 * line.
 */
export async function loadProgram(io: Io, isNamed: (noun: string) => boolean): Promise<Command> {
  const program = createProgram(io);
  const inGroups = Object.keys(groups).flatMap((group) => nouns.filter((noun) => noun.group === group));
  for (const { name, summary, group, asksService, load } of inGroups) {
    const command = program.command(name).description(summary).helpGroup(groups[group]);
    if (!isNamed(name)) continue;
    setAsksService(command, asksService);
    const define = await load();
    define(command, io);
  }
  return program;
}
