import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { Option, Command as PlainCommand } from 'commander';
import { type CommandContext, contextOf, globalsOf } from './context.ts';
import { usageError } from './errors/cli-error.ts';
import { type Io, programName } from './io.ts';

/** Descriptions get at least so many columns before help gives up on breaking lines. */
export const minWidthToWrap = 20;

/** Options that every command takes. */
const everywhere: readonly string[] = ['--json', '--fields', '--quiet', '--no-input', '--profile'];
const serviceOptions = ['--base-url', '--key-file'];

/** `orders list`, without the name of the program itself. */
function nameOf(command: PlainCommand): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

/** A flag that would change nothing misleads: `keys list --base-url` lists the keys of the store here. */
function refuseServiceOptions(command: PlainCommand): void {
  command.hook('preAction', (_command, action) => {
    const { baseUrl, keyFile } = globalsOf(action);
    const flags = { '--base-url': baseUrl, '--key-file': keyFile };
    const [given] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
    if (given !== undefined)
      throw usageError(`${nameOf(command)} contacts no service, so ${given} does not apply.`);
  });
}

/** Says whether a command asks a service; help shows only those of the shared options that it takes. */
export function setAsksService(command: PlainCommand, asksService: boolean): void {
  const shown = asksService ? [...everywhere, ...serviceOptions] : everywhere;
  const rootOptions = ({ parent, options }: PlainCommand): readonly Option[] =>
    parent ? rootOptions(parent) : options;
  command.configureHelp({
    minWidthToWrap,
    showGlobalOptions: true,
    visibleGlobalOptions: () => rootOptions(command).filter(({ long }) => shown.includes(long ?? '')),
  });
  if (!asksService) refuseServiceOptions(command);
}

/** A command that takes nothing yet. */
export type NewCommand = Command;

/** Commander's own command with the types that know what is declared; at run time it is the same class. */
export const typed = (command: PlainCommand): NewCommand => command as unknown as NewCommand; // safe: see above

/** Adds a command to a noun, or to a noun itself what it takes and does. */
export type Define = (parent: PlainCommand, io: Io) => void;

/** A command with what it takes declared. */
type Built = Pick<Command<unknown[], OptionValues>, 'opts' | 'processedArgs'>;

/** The options that a `build` declares, for helpers that take all of them. */
export type OptionsOf<Build extends (command: NewCommand) => Built> = ReturnType<ReturnType<Build>['opts']>;

interface CommandDefinition<Takes extends Built> {
  /** The verb; a command of one word has its name and its description in `nouns.ts`. */
  name?: string;
  description?: string;
  /** Declares arguments and options, whose types `run` then gets. */
  build?: (command: NewCommand) => Takes;
  /** What help says after the options; it may need to know how the command is called. */
  help?: string | ((program: string) => string);
  /** The arguments of a command line that works, which ends the help. */
  example?: string;
  /** False for a verb that asks no service, under a noun whose other verbs do. */
  asksService?: false;
  run(
    context: CommandContext,
    options: ReturnType<Takes['opts']>,
    ...args: Takes['processedArgs']
  ): Promise<void>;
}

/**
 * Defines a command by what it takes and what it does.
 *
 * @example
 * export const showGame = defineCommand({
 *   name: 'show',
 *   description: 'Show a game',
 *   build: (command) => command.argument('<slug>', 'slug of the game').option('--all', 'closed products too'),
 *   example: 'games show mobile-legends',
 *   async run(context, { all }, slug) {
 *     const service = await connect(context);
 *   },
 * });
 */
export function defineCommand<Takes extends Built = NewCommand>({
  name,
  help,
  ...definition
}: CommandDefinition<Takes>): Define {
  return (parent, io) => {
    const command = name === undefined ? parent : parent.command(name);
    if (definition.description !== undefined) command.description(definition.description);
    if (definition.asksService === false) setAsksService(command, false);
    definition.build?.(typed(command));
    if (help !== undefined)
      command.addHelpText('after', `\n${typeof help === 'string' ? help : help(programName(io))}`);
    if (definition.example !== undefined)
      command.addHelpText('after', `\nExample:\n  ${programName(io)} ${definition.example}`);
    command.action(() =>
      // Commander says `any` of both; they are what `build` declared.
      definition.run(contextOf(io, command), command.opts(), ...command.processedArgs),
    );
  };
}

/** Defines a noun by its verbs, and by what its help says of all of them. */
export const defineGroup =
  (help: string, verbs: readonly Define[]): Define =>
  (noun, io) => {
    noun.addHelpText('after', `\n${help}`);
    for (const addTo of verbs) addTo(noun, io);
  };
