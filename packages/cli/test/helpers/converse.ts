import { stripVTControlCharacters } from 'node:util';
import { fakeTerminal } from './fake-terminal.ts';
import { type Ran, type RunOptions, start, until } from './run.ts';

export const keys = { enter: '\r', down: '\u001b[B', right: '\u001b[C', interrupt: '\u0003' } as const;

/** Words of a prompt, and what is typed when it is shown, or what else is done then. */
export type Turn = readonly [prompt: string, typed: string | ((screen: string) => unknown)];

/**
 * Runs a command at a terminal in this process and answers its prompts in turn. `screens` has what was shown before each answer and
 * at the end, without colours; for the screen as a person sees it there is `openTerminal`.
 */
export async function converse(
  args: string[],
  turns: readonly Turn[],
  options: RunOptions = {},
): Promise<Ran & { screens: string[] }> {
  const terminal = fakeTerminal();
  const { code, written } = start(args, { ...options, terminal });
  const shown = (): string => stripVTControlCharacters(terminal.shown());
  let hasEnded = false;
  void code.then(() => {
    hasEnded = true;
  });
  const screens: string[] = [];
  for (const [prompt, typed] of turns) {
    await until(() => shown().includes(prompt) || hasEnded);
    if (!shown().includes(prompt)) throw new Error(`It never asked "${prompt}":\n${shown()}`);
    screens.push(shown());
    if (typeof typed === 'string') await terminal.answer('', typed);
    else await typed(shown());
  }
  return { code: await code, ...written, screens: [...screens, shown()] };
}
