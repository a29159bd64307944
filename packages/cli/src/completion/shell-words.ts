/** The words of an unfinished command line of a POSIX shell, as typed up to the cursor; nothing of it is run. */
export interface ShellWords {
  /** Without quotes; the last is the one that the cursor is on. */
  words: string[];
  /** The quote that is still open in the last. */
  quote: '' | "'" | '"';
  /** The last as it is typed, with its quotes. */
  raw: string;
}

const breaks = /[\s;|&<>()]/;

export function readShellWords(line: string): ShellWords {
  const words: string[] = [];
  let word: string | undefined;
  let raw = '';
  let quote: ShellWords['quote'] = '';
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at);
    const escapes = letter === '\\' && quote !== "'";
    if (!escapes && quote === '' && breaks.test(letter)) {
      if (word !== undefined) words.push(word);
      // What stands before a `;` or a `|` is another command.
      if (/[;|&(]/.test(letter)) words.length = 0;
      word = undefined;
      raw = '';
      continue;
    }
    raw += letter;
    word ??= '';
    if (letter === quote) quote = '';
    else if (quote === '' && (letter === "'" || letter === '"')) quote = letter;
    else if (escapes) {
      at += 1;
      raw += line.charAt(at);
      word += line.charAt(at);
    } else word += letter;
  }
  return { words: [...words, word ?? ''], quote, raw };
}
