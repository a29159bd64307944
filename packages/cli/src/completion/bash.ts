import { cut, printable, textWidth } from '../output/text.ts';
import type { Completion, Suggestion } from './values.ts';

/**
 * Bash 3.2 of macOS has neither `compopt` nor `mapfile`. The line is handed over as it is typed: bash would split it at
 * colons too, and run what stands in it where it is put together again.
 */
export const bashScript = `# bash completion of topup
_topup() {
    local line files=
    COMPREPLY=()
    while IFS= read -r line; do
        if [ "$line" = :files ]; then files=1; else COMPREPLY+=("$line"); fi
    done < <("$1" __complete bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" "\${COMP_TYPE:-9}" "\${COLUMNS:-80}" 2>/dev/null </dev/null)
    if [ -z "$files" ] && type compopt >/dev/null 2>&1; then compopt +o default 2>/dev/null; fi
}
complete -o default -F _topup topup
`;

const escaped = (text: string): string => text.replace(/[^\w@%+=:,./-]/gu, '\\$&');

/** As it has to stand on the line, given the quote that is open. */
const quoted = (text: string, quote: string): string => {
  if (quote === "'") return text.replaceAll("'", `'\\''`);
  return quote === '"' ? text.replace(/["\\$`!]/g, '\\$&') : escaped(text);
};

/** What bash takes for the start of the word: it splits words where `:` and `=` stand, too. */
function startOfWord(raw: string, quote: string, wordBreaks: string): string {
  const opened = quote === '' ? -1 : raw.lastIndexOf(quote);
  if (opened >= 0) return raw.slice(0, opened + 1);
  const at = Math.max(
    ...[...wordBreaks].filter((letter) => /[:=@]/.test(letter)).map((l) => raw.lastIndexOf(l)),
  );
  return raw.slice(0, at + 1);
}

/** Several are shown in a list, in which there is room to say what they are. */
function listed(values: readonly Suggestion[], words: string[], columns: number): string[] {
  const width = Math.max(...words.map(textWidth));
  const room = columns - width - 6;
  return words.map((word, index) => {
    const about = values[index]?.about;
    if (!about || room < 10) return word;
    return `${word}${' '.repeat(width - textWidth(word))}  (${cut(printable(about), room)})`;
  });
}

const menuCompletion = '37';

/** The first word of the line is the command itself. */
export const bashWords = (line: string): string[] => readShellWords(line).words.slice(1);

/** The lines that the script reads. */
export function bashLines({ prefix, values }: Completion, args: readonly string[]): string[] {
  if (values === 'files') return [':files'];
  const [line = '', wordBreaks = '', type = '', columns = ''] = args;
  const { raw, quote } = readShellWords(line);
  const start = startOfWord(raw, quote, wordBreaks);
  const words = values.map(({ value }) => {
    const word = quote === '' ? prefix + escaped(value) : quoted(value, quote);
    return quote === '' && word.startsWith(start) ? word.slice(start.length) : word;
  });
  return words.length > 1 && type !== menuCompletion ? listed(values, words, Number(columns)) : words;
}

/** The words of an unfinished command line of a POSIX shell, as typed up to the cursor; nothing of it is run. */
interface ShellWords {
  /** Without quotes; the last is the one that the cursor is on. */
  words: string[];
  /** The quote that is still open in the last. */
  quote: '' | "'" | '"';
  /** The last as it is typed, with its quotes. */
  raw: string;
}

const breaks = /[\s;|&<>()]/;

function readShellWords(line: string): ShellWords {
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
