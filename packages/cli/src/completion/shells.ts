import { cut, printable, textWidth } from '../output/text.ts';
import type { Completion, Suggestion } from './values.ts';

/**
 * Script for bash. It avoids `compopt` and `mapfile`, which Bash 3.2 of macOS lacks. It passes on the line as typed, because bash would
 * split it at colons and expand it.
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

/** Quotes a string for the command line, depending on the quote that is open. */
const quoted = (text: string, quote: string): string => {
  if (quote === "'") return text.replaceAll("'", `'\\''`);
  return quote === '"' ? text.replace(/["\\$`!]/g, '\\$&') : escaped(text);
};

/** Returns the part of the word that bash doesn't replace, because bash also splits words at `:` and `=`. */
function startOfWord(raw: string, quote: string, wordBreaks: string): string {
  const opened = quote === '' ? -1 : raw.lastIndexOf(quote);
  if (opened >= 0) return raw.slice(0, opened + 1);
  const at = Math.max(
    ...[...wordBreaks].filter((letter) => /[:=@]/.test(letter)).map((l) => raw.lastIndexOf(l)),
  );
  return raw.slice(0, at + 1);
}

/** Shows several values as a list with descriptions. */
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

/** Splits a command line into words. The first word is the command itself. */
export const bashWords = (line: string): string[] => readShellWords(line).words.slice(1);

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

/** Words of an unfinished POSIX shell command line, up to the cursor. Nothing in the line is executed. */
interface ShellWords {
  /** Words without quotes; the last word is the one at the cursor. */
  words: string[];
  /** Quote that is still open in the last word. */
  quote: '' | "'" | '"';
  /** Last word as typed, with its quotes. */
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
      // Text before a `;` or a `|` belongs to another command.
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

/** Script for zsh. `(Q)` removes quotes without executing anything; `_describe` adds the necessary quotes. */
export const zshScript = `#compdef topup
# zsh completion of topup
_topup() {
    local -a lines
    local -a typed
    typed=("\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}")
    lines=("\${(@f)$("\${(Q)words[1]}" __complete zsh "\${typed[@]}" 2>/dev/null </dev/null)}")
    if [[ $PREFIX == --*=* ]]; then compset -P '--*='; fi
    if [[ $lines[1] == :files ]]; then
        _files
    elif [[ -n $lines[1] ]]; then
        _describe -V topup lines
    fi
}
if [[ $funcstack[1] == _topup ]]; then
    _topup "$@"
else
    if ! whence compdef >/dev/null; then autoload -Uz compinit && compinit; fi
    compdef _topup topup
fi
`;

export const zshLines = ({ values }: Completion): string[] =>
  values === 'files'
    ? [':files']
    : values.map(
        ({ value, about }) => value.replace(/[\\:]/g, '\\$&') + (about ? `:${printable(about)}` : ''),
      );

/** Script for fish, which itself removes quotes and adds the necessary ones. */
export const fishScript = `# fish completion of topup
function __topup_complete
    set -l typed (commandline -opc)
    set -l last (commandline -ct)
    set -l lines ($typed[1] __complete fish $typed[2..-1] "$last" 2>/dev/null </dev/null)
    if test "$lines[1]" = :files
        __fish_complete_path (string replace -r -- '^--[^=]+=' '' "$last")
    else
        string join -- \\n $lines
    end
end
complete -c topup -e
complete -c topup -f -k -a '(__topup_complete)'
`;

export const fishLines = ({ prefix, values }: Completion): string[] =>
  values === 'files'
    ? [':files']
    : values.map(({ value, about }) => prefix + value + (about ? `\t${printable(about)}` : ''));
