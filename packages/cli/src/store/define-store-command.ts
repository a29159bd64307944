import type { CommandContext } from '../context.ts';
import {
  type Built,
  type CommandDefinition,
  type Define,
  defineCommand,
  type NewCommand,
} from '../define-command.ts';
import { type OperatorStore, storeOption, withOperatorStore } from './open.ts';

interface StoreCommand<Takes extends Built> extends Omit<CommandDefinition<Takes>, 'run'> {
  run(
    operating: OperatorStore,
    context: CommandContext,
    options: ReturnType<Takes['opts']>,
    ...args: Takes['processedArgs']
  ): Promise<void>;
}

/** Defines a command that uses an existing store, which `--store` names. The store is open while the command runs. */
export const defineStoreCommand = <Takes extends Built = NewCommand>({
  build,
  run,
  ...definition
}: StoreCommand<Takes>): Define =>
  defineCommand<Takes>({
    ...definition,
    build(command) {
      const built = build?.(command) ?? command;
      const isThere = command.options.some(({ long }) => long === '--store');
      if (!isThere) command.option(...storeOption);
      return built as Takes; // Safe: without `build`, the command has no options.
    },
    run: (context, options, ...args) =>
      withOperatorStore(context, options, (operating) => run(operating, context, options, ...args)),
  });
