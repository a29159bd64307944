import { printable } from './printable.ts';
import { textWidth } from './width.ts';

/** Lines longer than this are hard to read, however wide the terminal. */
const readable = 80;

/** A text of any length in lines of words. */
export function wrap(text: string, columns = readable): string {
  const width = Math.min(columns, readable);
  let lines = '';
  let line = '';
  for (const word of printable(text).trim().split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer) > width) {
      lines += `${line}\n`;
      line = word;
    } else line = longer;
  }
  return `${lines}${line}\n`;
}
