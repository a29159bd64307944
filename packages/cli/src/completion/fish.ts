import { printable } from '../output/text.ts';
import type { Completion } from './values.ts';

/** Fish itself removes quotes and adds those that are needed. */
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

/** The lines that the script reads: value, tab, description. */
export const fishLines = ({ prefix, values }: Completion): string[] =>
  values === 'files'
    ? [':files']
    : values.map(({ value, about }) => prefix + value + (about ? `\t${printable(about)}` : ''));
