import type { Command, Option } from 'commander';
import { globalsOf } from '../context.ts';
import { usageProblem } from '../errors/problem.ts';

/** Descriptions get at least so many columns before help gives up on breaking lines. */
export const minWidthToWrap = 20;

/** Options that every command takes. */
export const everywhere: readonly string[] = ['--json', '--fields', '--quiet', '--no-input', '--profile'];

/** `orders list`, without the name of the program itself. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

/** A flag that would change nothing misleads: `keys list --base-url` lists the keys of the store here. */
export function refuseServiceOptions(command: Command): void {
  command.hook('preAction', (_command, action) => {
    const { baseUrl, keyFile } = globalsOf(action);
    const flags = { '--base-url': baseUrl, '--key-file': keyFile };
    const [given] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
    if (given !== undefined)
      throw usageProblem(`${nameOf(command)} asks no service, so it takes no ${given}.`);
  });
}

/** Shows which of the options that stand before all commands a command takes, in help that fits narrow terminals too. */
export function showGlobals(command: Command, shown: readonly string[]): void {
  const optionsOf = ({ parent, options }: Command): readonly Option[] =>
    parent ? optionsOf(parent) : options;
  command.configureHelp({
    minWidthToWrap,
    showGlobalOptions: true,
    visibleGlobalOptions: () => optionsOf(command).filter(({ long }) => shown.includes(long ?? '')),
  });
}

/** Makes a command one that asks no service, under a noun whose other commands do. */
export function asksNoService(command: Command): Command {
  showGlobals(command, everywhere);
  refuseServiceOptions(command);
  return command;
}
