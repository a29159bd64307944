import type { Command } from 'commander';
import { usageProblem } from '../errors/problem.ts';
import type { GlobalOptions } from '../global-options.ts';

/** `orders list`, without the name of the program itself. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

/** A flag that would change nothing misleads: `keys list --base-url` lists the keys of the store here. */
export function refuseBaseUrl(command: Command): void {
  command.hook('preAction', (_command, action) => {
    const { baseUrl } = action.optsWithGlobals<GlobalOptions>();
    if (baseUrl !== undefined)
      throw usageProblem(`${nameOf(command)} asks no service, so it takes no --base-url.`);
  });
}
