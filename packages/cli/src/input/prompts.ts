import type { CommandContext } from '../context.ts';
import { CliError, exitCodes, stopCodeOf, usageError } from '../errors/cli-error.ts';
import type { Io, Terminal } from '../io.ts';
import type { Result } from '../output/print.ts';
import { visible, visibleLines } from '../output/text.ts';

export interface Choice<Value> {
  value: Value;
  label: string;
  hint?: string;
}

/** Returns the error message for an answer; undefined if it is valid. */
export type Check = (text: string) => string | undefined;

/** Prompts at the terminal; Ctrl+C ends the command. */
export interface Prompts {
  text(question: string, options?: { example?: string; initial?: string; check?: Check }): Promise<string>;
  /** Prompts for a secret, without showing the typed text. */
  secret(question: string, options?: { check?: Check }): Promise<string>;
  confirm(question: string, options?: { initial?: boolean }): Promise<boolean>;
  /** Prompts for one of a few choices. */
  choose<Value extends string | number>(question: string, choices: readonly Choice<Value>[]): Promise<Value>;
  /** Prompts for one of many choices, which are filtered while the user types. */
  search<Value extends string | number>(question: string, choices: readonly Choice<Value>[]): Promise<Value>;
}

/** Returns the error of a command that was stopped before it did anything. */
export const stopped = (signal: AbortSignal | undefined): CliError =>
  new CliError('Cancelled. Nothing was done.', {
    code: 'ABORTED',
    exitCode: stopCodeOf(signal?.reason),
  });

/**
 * Calls back when the input ends, by Ctrl+D (which readline doesn't report) or because the terminal was closed. Returns a function that
 * stops listening.
 */
function onEnd(input: Terminal['input'], end: () => void): () => void {
  const onKey = (_text: string | undefined, key: { ctrl?: boolean; name?: string }): void => {
    if (key.ctrl && key.name === 'd') end();
  };
  input.on('keypress', onKey).once('end', end);
  return () => input.off('keypress', onKey).off('end', end);
}

/** Creates prompts. They are written to stderr, because stdout is for results. */
export async function createPrompts({ signal }: Io, { input, output }: Terminal): Promise<Prompts> {
  const clack = await import('@clack/prompts');

  async function ask<Answer>(
    prompt: (terminal: Terminal & { signal: AbortSignal }) => Promise<Answer>,
  ): Promise<Exclude<Answer, symbol>> {
    const ended = new AbortController();
    const forget = onEnd(input, () => ended.abort());
    const signals = [ended.signal, ...(signal ? [signal] : [])];
    const answer = await prompt({ input, output, signal: AbortSignal.any(signals) }).finally(forget);
    if (clack.isCancel(answer)) throw stopped(signal);
    return answer as Exclude<Answer, symbol>; // Safe: a prompt returns a symbol only if it was cancelled.
  }

  /** Escapes control characters, because services provide questions and choices. */
  const shown = <Value>(message: string, choices: readonly Choice<Value>[]) => ({
    message: visibleLines(message),
    // Safe: a choice has the type of clack's option.
    options: choices.map(({ value, label, hint }) => ({
      value,
      label: visible(label),
      ...(hint !== undefined && { hint: visible(hint) }),
    })) as never,
  });

  return {
    async text(message, { example, initial, check } = {}) {
      const answer = await ask((terminal) =>
        clack.text({
          ...terminal,
          message: visibleLines(message),
          ...(example !== undefined && { placeholder: example }),
          ...(initial !== undefined && { initialValue: initial }),
          validate: (text = '') => check?.(text.trim()),
        }),
      );
      return answer.trim();
    },
    async secret(message, { check } = {}) {
      const answer = await ask((terminal) =>
        clack.password({ ...terminal, message, validate: (text = '') => check?.(text.trim()) }),
      );
      return answer.trim();
    },
    confirm: (message, { initial = false } = {}) =>
      ask((terminal) => clack.confirm({ ...terminal, message, initialValue: initial })),
    choose: (message, choices) =>
      ask((terminal) => clack.select({ ...terminal, ...shown(message, choices) })),
    search: (message, choices) =>
      ask((terminal) => clack.autocomplete({ ...terminal, ...shown(message, choices), maxItems: 10 })),
  };
}

export const yesOption = ['-y, --yes', 'do not ask for confirmation'] as const;
export const dryRunOption = ['--dry-run', 'only show what would be done'] as const;
export const nothingChanged = 'Nothing was changed: this was a dry run.';

interface Act {
  yes: boolean | undefined;
  /** Effect as a sentence: `A reset deletes all orders of the sandbox.` */
  consequence: string;
}

/** Requires `--yes` or a confirmation at the terminal for an action that can't be undone. */
export async function confirm(context: CommandContext, { yes, consequence }: Act): Promise<void> {
  if (yes) return;
  const terminal = context.promptTerminal;
  if (!terminal) throw usageError(`This needs --yes: ${consequence}`, 'Nothing was done.');
  const prompts = await createPrompts(context.io, terminal);
  if (await prompts.confirm(`${consequence} Go on?`)) return;
  throw new CliError('Nothing was done.', { code: 'DECLINED', exitCode: exitCodes.failure });
}

interface Closing extends Result {
  consequence: string;
  /** Closes the record in the store. */
  perform(): Promise<unknown>;
}

/** Closes a record of the store after a confirmation, and prints its new state. A dry run only prints that state. */
export async function closeRecord(
  context: CommandContext,
  { yes, dryRun }: { yes?: true | undefined; dryRun?: true | undefined },
  { consequence, perform, ...closed }: Closing,
): Promise<void> {
  if (!dryRun) {
    await confirm(context, { yes, consequence });
    await perform();
  }
  await context.print(closed);
  if (dryRun) context.remark(nothingChanged);
}
