import { printable } from '../output/text.ts';
import type { Completion } from './values.ts';

/** Fish takes quotes away and puts them where they are needed by itself. */
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

/** The lines that the script reads: value, tab, what it is. */
export const fishLines = ({ prefix, values }: Completion): string[] =>
  values === 'files'
    ? [':files']
    : values.map(({ value, about }) => prefix + value + (about ? `\t${printable(about)}` : ''));
