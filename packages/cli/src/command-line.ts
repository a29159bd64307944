import type { Command } from 'commander';
import { type Io, setting } from './io.ts';

/** How this command is called where it runs: by pnpm in a clone, by npm in a project, or by its own name. */
export function programName(io: Io): string {
  if (setting(io, 'npm_lifecycle_event') === undefined) return 'topup';
  const agent = setting(io, 'npm_config_user_agent') ?? '';
  return agent.startsWith('pnpm/') ? 'npx -y pnpm@12 topup' : 'npx topup';
}

/** Ends a command's help with an example. */
export const addExample = (command: Command, io: Io, args: string): Command =>
  command.addHelpText('after', `\nExample:\n  ${programName(io)} ${args}`);

/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The slug of a game as one word; where none is known, what to put there. */
export const slugWord = (slug: string | undefined): string =>
  slug === undefined ? '<slug>' : shellWord(slug);
