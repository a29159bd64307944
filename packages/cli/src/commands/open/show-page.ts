import type { CommandContext } from '../../context.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { openInBrowser } from './browser.ts';

export interface Options {
  print?: true;
}

export const printOption = ['--print', 'only print the address'] as const;

/** What a service calls an address may be anything; only one of the Web is opened. */
function webAddress(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new Problem(`${text} is no address of the Web, so it is not opened.`, {
    code: 'NO_WEB_ADDRESS',
    exitCode: exitCodes.failure,
  });
}

/** Prints an address, and opens it unless it is only to be printed. */
export async function showPage(text: string, options: Options, context: CommandContext): Promise<void> {
  const url = webAddress(text);
  const opened = options.print !== true && (await openInBrowser(url, context.io));
  await context.print({
    document: { url: url.href, opened },
    ids: [url.href],
    screen: (look) => `${look.paint('address', url.href)}\n`,
  });
  if (!opened && options.print !== true)
    context.remark('No browser could be started here; BROWSER may name one. Open the address yourself.');
}
