import { printable } from '../output/text.ts';
import type { Completion } from './values.ts';

/** `(Q)` removes quotes without executing anything; `_describe` adds those that are needed. */
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

const escaped = (text: string): string => text.replace(/[\\:]/g, '\\$&');

/** The lines that the script reads: `value:description`. */
export const zshLines = ({ values }: Completion): string[] =>
  values === 'files'
    ? [':files']
    : values.map(({ value, about }) => escaped(value) + (about ? `:${printable(about)}` : ''));
