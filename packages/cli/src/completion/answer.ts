import type { Io } from '../io.ts';
import { bashAnswer, bashWords } from './bash.ts';
import { complete } from './complete.ts';
import { fishAnswer } from './fish.ts';
import { zshAnswer } from './zsh.ts';

/** Nobody can be asked, and nothing is read from the terminal at which somebody is typing. */
const silent = (io: Io): Io => ({
  ...{ environment: io.environment, signal: io.signal, terminal: undefined },
  stdin: (async function* () {})(),
  stdout: { write: () => {} },
  stderr: { write: () => {} },
});

async function answer([shell, ...args]: readonly string[], io: Io): Promise<string[]> {
  if (shell === 'bash') return bashAnswer(await complete(bashWords(args[0] ?? ''), io), args);
  return shell === 'zsh' ? zshAnswer(await complete(args, io)) : fishAnswer(await complete(args, io));
}

/** Answers a shell; whatever goes wrong, there are no completions, and not a word about it. */
export async function answerShell(args: readonly string[], io: Io): Promise<void> {
  const lines = await answer(args, silent(io)).catch(() => []);
  await io.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
