import type { ConsoleSettings } from '@topup-kit/server/internal';
import type { CommandContext } from '../../context.ts';
import { usageError } from '../../errors/cli-error.ts';
import { operatorName } from '../../input/operator.ts';
import { isoTime, readableTime } from '../../output/format.ts';
import { printable } from '../../output/text.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { hasServer, type OperatorStore } from '../../store/open.ts';

/** Reads the operator's URL of the server or of its console. */
function namedConsole(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    throw usageError('--url takes the http(s) URL of the server, such as https://shop.example.');
  return `${url.href.replace(/\/+$/, '').replace(/\/console$/, '')}/console`;
}

async function chooseConsole(
  settings: ConsoleSettings,
  named: string | undefined,
  { address }: OperatorStore,
): Promise<string> {
  if (named !== undefined) return namedConsole(named);
  const { consoleUrl, findServer } = await import('@topup-kit/server/internal');
  const { publicUrl, consolePort } = settings;
  // The running server stores its port next to its store file.
  const served = address.kind === 'file' ? findServer(address.path)?.address : undefined;
  const port = Number(/:(\d+)$/.exec(served ?? '')?.[1] ?? settings.port);
  const isFree = consolePort === undefined ? publicUrl === undefined && port === 0 : consolePort === 0;
  if (isFree) throw usageError('The server chose a free port. Give the address that it printed with --url.');
  return consoleUrl({ ...settings, port });
}

/** Names known reasons why the link may not work. */
async function remarkOnServer(
  context: CommandContext,
  operating: OperatorStore,
  { console }: ConsoleSettings,
): Promise<void> {
  if (console === undefined || console === 'off')
    context.remark(
      `TOPUP_CONSOLE is ${console === 'off' ? 'off' : 'not set'} here. The link only works if the server has TOPUP_CONSOLE=read or act.`,
    );
  if (!(await hasServer(operating))) context.remark('No server runs on this store: start it first.');
}

export const consoleLink = defineStoreCommand({
  name: 'link',
  description: 'Print a link that logs an operator in to the console, once within ten minutes',
  help: `The history records console actions with the operator's name. The
console's address comes from the server's settings in the environment:
TOPUP_PUBLIC_URL, or HOST with TOPUP_CONSOLE_PORT or PORT. A server that runs
on a store file gives its port.`,
  build: (command) =>
    command
      .option(
        '--operator <name>',
        'name of the operator who logs in (TOPUP_OPERATOR; default: the system user)',
      )
      .option('--url <url>', 'URL of the server; default: from the settings'),
  example: 'console link --operator Dewi',
  async run(operating, context, options) {
    const { io } = context;
    const operator = operatorName(io, options.operator);
    const [engine, { secureRandom }, { readConsoleSettings, sha256Hex }] = await Promise.all([
      import('@topup-kit/core/engine'),
      import('@topup-kit/core/platform'),
      import('@topup-kit/server/internal'),
    ]);
    const settings = readConsoleSettings(io.environment);
    const address = await chooseConsole(settings, options.url, operating);
    const { link, secret } = await engine.createConsoleLink(
      { store: operating.store, random: secureRandom, hash: sha256Hex, realClock: Date.now },
      operator,
    );
    const url = `${address}/login/${secret}`;
    await context.print({
      document: { url, operator, expires_at: isoTime(link.expiresAt) },
      ids: [url],
      screen: (style) => `${style.paint('address', url)}\n`,
    });
    context.remark(
      `It logs ${printable(operator)} in once, until ${readableTime(link.expiresAt)}. The first person who opens it gets that name, so don't share it.`,
    );
    await remarkOnServer(context, operating, settings);
  },
});
