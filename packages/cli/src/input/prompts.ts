import type { CommandContext } from '../context.ts';
import { CliError, exitCodes, usageError } from '../errors/cli-error.ts';
import type { Io, Terminal } from '../io.ts';

export interface Choice<Value> {
  value: Value;
  label: string;
  hint?: string;
}

/** Says what is wrong with an answer; undefined when nothing is. */
export type Check = (text: string) => string | undefined;

/** Questions to the person at the terminal; whoever leaves one with Ctrl+C ends the command. */
export interface Prompts {
  text(question: string, options?: { example?: string; initial?: string; check?: Check }): Promise<string>;
  /** What is typed is not shown. */
  secret(question: string, options?: { check?: Check }): Promise<string>;
  confirm(question: string, options?: { initial?: boolean }): Promise<boolean>;
  /** One of a few. */
  choose<Value extends string | number>(question: string, choices: readonly Choice<Value>[]): Promise<Value>;
  /** One of many, found by typing a part of it. */
  search<Value extends string | number>(question: string, choices: readonly Choice<Value>[]): Promise<Value>;
}

/** What a command ends with that was stopped before it did anything. */
export const stopped = (signal: AbortSignal | undefined): CliError =>
  new CliError('Stopped, and nothing was done.', {
    code: 'ABORTED',
    exitCode: signal?.reason === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted,
  });

/**
 * Calls back when somebody ends the input: by Ctrl+D, after which readline never says another word, or by closing the
 * terminal. Returns what ends that.
 */
function onEnd(input: Terminal['input'], end: () => void): () => void {
  const onKey = (_text: string | undefined, key: { ctrl?: boolean; name?: string }): void => {
    if (key.ctrl && key.name === 'd') end();
  };
  input.on('keypress', onKey).once('end', end);
  return () => input.off('keypress', onKey).off('end', end);
}

/** Asks on the messages' side of the terminal: stdout stays the result's. */
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
    return answer as Exclude<Answer, symbol>; // safe: a prompt's only symbol is that of a cancelled one
  }

  return {
    async text(message, { example, initial, check } = {}) {
      const answer = await ask((terminal) =>
        clack.text({
          ...terminal,
          message,
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
      ask((terminal) => clack.select({ ...terminal, message, options: choices as never })), // safe: a choice is clack's option
    search: (message, choices) =>
      ask(
        (terminal) => clack.autocomplete({ ...terminal, message, options: choices as never, maxItems: 10 }), // safe: likewise
      ),
  };
}

export const yesOption = ['-y, --yes', 'do not ask for confirmation'] as const;
export const dryRunOption = ['--dry-run', 'only show what would be done'] as const;
export const nothingChanged = 'Nothing was changed: this was a dry run.';

interface Act {
  yes: boolean | undefined;
  /** What will happen, a whole sentence: `A reset forgets all orders of the sandbox.` */
  consequence: string;
}

/** Makes sure that somebody wants what can't be undone: by `--yes`, or by asking where somebody sits. */
export async function confirm(context: CommandContext, { yes, consequence }: Act): Promise<void> {
  if (yes) return;
  const terminal = context.promptTerminal;
  if (!terminal) throw usageError(`This needs --yes: ${consequence}`, 'Nothing was done.');
  const prompts = await createPrompts(context.io, terminal);
  if (await prompts.confirm(`${consequence} Go on?`)) return;
  throw new CliError('Nothing was done.', { code: 'DECLINED', exitCode: exitCodes.failure });
}
