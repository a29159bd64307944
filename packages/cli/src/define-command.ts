import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { Option, Command as PlainCommand } from 'commander';
import { type CommandContext, contextOf, globalsOf } from './context.ts';
import { usageError } from './errors/cli-error.ts';
import { type Io, programName } from './io.ts';

/** Minimum number of columns for wrapped descriptions in help. */
export const minWidthToWrap = 20;

const everywhere: readonly string[] = ['--json', '--fields', '--quiet', '--no-input', '--profile'];
const serviceOptions = ['--base-url', '--key-file'];

/** Returns the name without the program's name: `orders list`. */
function nameOf(command: PlainCommand): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

/** Rejects a flag that has no effect, because it would mislead: `keys list --base-url` would list the keys of the local store. */
function rejectServiceOptions(command: PlainCommand): void {
  command.hook('preAction', (_command, action) => {
    const { baseUrl, keyFile } = globalsOf(action);
    const flags = { '--base-url': baseUrl, '--key-file': keyFile };
    const [flag] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
    if (flag !== undefined)
      throw usageError(`${nameOf(command)} contacts no service, so ${flag} does not apply.`);
  });
}

/** Sets whether a command contacts a service. Its help shows only the shared options that apply. */
export function setAsksService(command: PlainCommand, asksService: boolean): void {
  const shown = asksService ? [...everywhere, ...serviceOptions] : everywhere;
  const rootOptions = ({ parent, options }: PlainCommand): readonly Option[] =>
    parent ? rootOptions(parent) : options;
  command.configureHelp({
    minWidthToWrap,
    showGlobalOptions: true,
    visibleGlobalOptions: () => rootOptions(command).filter(({ long }) => shown.includes(long ?? '')),
  });
  if (!asksService) rejectServiceOptions(command);
}

export type NewCommand = Command;

/** Adds inferred types to commander's class. At run time it is the same class. */
export const typed = (command: PlainCommand): NewCommand => command as unknown as NewCommand; // Safe: see above.

/** Adds a command to a noun, or configures the noun itself. */
export type Define = (parent: PlainCommand, io: Io) => void;

export type Built = Pick<Command<unknown[], OptionValues>, 'opts' | 'processedArgs'>;

/** Type of the options that a `build` declares. */
export type OptionsOf<Build extends (command: NewCommand) => Built> = ReturnType<ReturnType<Build>['opts']>;

export interface CommandDefinition<Takes extends Built> {
  /** Verb. A command of one word has its name and description in `nouns.ts`. */
  name?: string;
  description?: string;
  /** Declares arguments and options, from which the types of `run` are inferred. */
  build?: (command: NewCommand) => Takes;
  /** Text after the options; a function gets the program's name. */
  help?: string | ((program: string) => string);
  /** Arguments of a working example, which is shown at the end of the help. */
  example?: string;
  /** True if a verb contacts a service, if that differs from its noun. A verb with a store contacts none by default. */
  asksService?: boolean;
  /** Set if the first argument is an id. Then `-` reads ids from standard input and runs the command for each id. */
  takesIds?: true;
  /** Throws if the command line is invalid regardless of the ids. Called before ids are read, and before each run. */
  check?(options: ReturnType<Takes['opts']>, ...args: Takes['processedArgs']): unknown;
  run(
    context: CommandContext,
    options: ReturnType<Takes['opts']>,
    ...args: Takes['processedArgs']
  ): Promise<void>;
}

/**
 * Defines a command: its arguments and options, its help and its work.
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
    definition.build?.(typed(command));
    const takesStore = command.options.some(({ long }) => long === '--store');
    if (!(definition.asksService ?? !takesStore)) setAsksService(command, false);
    if (help !== undefined)
      command.addHelpText('after', `\n${typeof help === 'string' ? help : help(programName(io))}`);
    if (definition.example !== undefined)
      command.addHelpText('after', `\nExample:\n  ${programName(io)} ${definition.example}`);
    command.action(async () => {
      const context = contextOf(io, command);
      const options: ReturnType<Takes['opts']> = command.opts();
      // Commander types both as `any`, but they have the types that `build` declared.
      const [id, ...others] = command.processedArgs;
      definition.check?.(options, ...command.processedArgs);
      if (!definition.takesIds || id !== '-')
        return definition.run(context, options, ...command.processedArgs);
      const { runForInput } = await import('./bulk.ts');
      const asks = command.options.some(({ long }) => long === '--yes');
      const { yes, dryRun } = command.opts();
      const isSure = !asks || yes === true || dryRun === true;
      const parse = command.registeredArguments[0]?.parseArg;
      return runForInput(context, { isSure, parse }, (each, value) =>
        definition.run(each, options, value, ...others),
      );
    });
  };
}

/** Defines a noun with its verbs and a help text for all of them. */
export const defineGroup =
  (help: string, verbs: readonly Define[]): Define =>
  (noun, io) => {
    noun.addHelpText('after', `\n${help}`);
    for (const addTo of verbs) addTo(noun, io);
  };
