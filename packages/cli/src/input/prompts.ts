import { exitCodes } from '../errors/exit-codes.ts';
import { Problem } from '../errors/problem.ts';
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
export const stopped = (signal: AbortSignal | undefined): Problem =>
  new Problem('Stopped, and nothing was done.', {
    code: 'ABORTED',
    exitCode: signal?.reason === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted,
  });

/** Asks on the messages' side of the terminal: stdout stays the result's. */
export async function createPrompts({ signal }: Io, { input, output }: Terminal): Promise<Prompts> {
  const clack = await import('@clack/prompts');
  const common = { input, output, ...(signal && { signal }) };

  function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
    if (clack.isCancel(answer)) throw stopped(signal);
    return answer as Exclude<Answer, symbol>; // safe: a prompt's only symbol is that of a cancelled one
  }

  return {
    text: async (message, { example, initial, check } = {}) =>
      answered(
        await clack.text({
          ...common,
          message,
          ...(example !== undefined && { placeholder: example }),
          ...(initial !== undefined && { initialValue: initial }),
          validate: (text = '') => check?.(text.trim()),
        }),
      ).trim(),
    secret: async (message, { check } = {}) =>
      answered(
        await clack.password({ ...common, message, validate: (text = '') => check?.(text.trim()) }),
      ).trim(),
    confirm: async (message, { initial = false } = {}) =>
      answered(await clack.confirm({ ...common, message, initialValue: initial })),
    choose: async (message, choices) =>
      answered(await clack.select({ ...common, message, options: choices as never })), // safe: a choice is clack's option
    search: async (message, choices) =>
      answered(await clack.autocomplete({ ...common, message, options: choices as never, maxItems: 10 })), // safe: likewise
  };
}
