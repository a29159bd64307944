import type { CommandContext } from '../context.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { Problem, usageProblem } from '../errors/problem.ts';
import { createPrompts } from './prompts.ts';

export const yesOption = ['-y, --yes', "don't ask whether you mean it"] as const;
export const dryRunOption = ['--dry-run', 'only say what would be done'] as const;
export const nothingChanged = 'Nothing was changed: this is what it would be.';

interface Act {
  yes: boolean | undefined;
  /** What will happen, a whole sentence: `A reset forgets all orders of the sandbox.` */
  consequence: string;
}

/** Makes sure that somebody wants what can't be undone: by `--yes`, or by asking where somebody sits. */
export async function confirm(context: CommandContext, { yes, consequence }: Act): Promise<void> {
  if (yes) return;
  const terminal = context.promptTerminal;
  if (!terminal) throw usageProblem(`This needs --yes: ${consequence}`, 'Nothing was done.');
  const prompts = await createPrompts(context.io, terminal);
  if (await prompts.confirm(`${consequence} Go on?`)) return;
  throw new Problem('Nothing was done.', { code: 'DECLINED', exitCode: exitCodes.failure });
}
