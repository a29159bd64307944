import type { Command } from 'commander';
import { storeOption } from '../store.ts';
import { refuseBaseUrl } from './refuse-base-url.ts';

/** Makes a command one that works on a store, also under a noun whose other commands ask a service. */
export function onStore(command: Command): Command {
  command.configureHelp({
    showGlobalOptions: true,
    visibleGlobalOptions: () => command.parent?.parent?.options.filter(({ long }) => long === '--json') ?? [],
  });
  refuseBaseUrl(command);
  return command.option(...storeOption);
}
