import type { PseudoTerminal } from './pseudo-terminal.ts';

/** The prompts of an order, and what is typed; an empty text takes the first choice. */
const answers = [
  ['Which product?', ''],
  ['User ID?', '12345678'],
  ['Zone ID?', '2012'],
  ['How will it be paid?', ''],
  ['Phone number?', '081234567890'],
] as const;

/** Answers all prompts of an order of Mobile Legends but the last one; returns the screen. */
export async function answerOrder(terminal: PseudoTerminal): Promise<string> {
  await terminal.until('Which game?');
  terminal.type('mobile legends');
  await terminal.until('(1 match)');
  terminal.press('enter');
  for (const [question, answer] of answers) {
    await terminal.until(question);
    terminal.type(answer);
    terminal.press('enter');
  }
  return terminal.until('Place this order?');
}
