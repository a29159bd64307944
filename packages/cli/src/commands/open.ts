import { spawn } from 'node:child_process';
import type { CommandContext } from '../context.ts';
import { defineCommand, defineGroup } from '../define-command.ts';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { readOrderId } from '../input/arguments.ts';
import { type Io, setting } from '../io.ts';
import { withProgress } from '../output/progress.ts';
import { connect } from '../service/client.ts';
import { chooseBaseUrl, invalidBaseUrl, parseBaseUrl, serverRoot } from '../service/connection.ts';
import { probe } from '../service/probe.ts';

/** Starts a program without a shell, which would interpret the URL. */
function start(words: string, url: string): Promise<boolean> {
  const [program = '', ...given] = words.trim().split(/\s+/);
  const args = given.includes('%s') ? given.map((word) => (word === '%s' ? url : word)) : [...given, url];
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** Opens a URL in the browser that BROWSER names, or in the system's. Returns whether a browser was started. */
async function openInBrowser({ href }: URL, io: Io): Promise<boolean> {
  const browser = setting(io, 'BROWSER');
  if (browser !== undefined) return start(browser, href);
  const { default: open } = await import('open');
  return open(href).then(
    () => true,
    () => false,
  );
}

const printOption = ['--print', 'only print the address'] as const;

/** Parses a URL from a service, which may send anything. Only http and https are opened. */
function webAddress(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new CliError(`${text} is not a web address, so it was not opened.`, {
    code: 'NO_WEB_ADDRESS',
    exitCode: exitCodes.failure,
  });
}

/** Prints a URL, and opens the URL unless `print` is set. */
async function showPage(context: CommandContext, text: string, options: { print?: true }): Promise<void> {
  const url = webAddress(text);
  const opened = options.print !== true && (await openInBrowser(url, context.io));
  await context.print({
    document: { url: url.href, opened },
    ids: [url.href],
    screen: (style) => `${style.paint('address', url.href)}\n`,
  });
  if (!opened && options.print !== true)
    context.remark('No browser could be started; set BROWSER to one, or open the address yourself.');
}

/** Finds the documentation, which needs no key. */
async function findDocs(context: CommandContext): Promise<string> {
  const { value, source } = chooseBaseUrl(context);
  const base = parseBaseUrl(value);
  if (!base) throw invalidBaseUrl({ urlSource: source });
  const url = `${serverRoot(base)}/docs`;
  const result = await withProgress(context, `Asking ${url}`, () => probe(new URL(url), context.io));
  if ('failure' in result)
    throw new CliError(result.failure.found, {
      code: 'NETWORK_ERROR',
      exitCode: exitCodes.network,
      hint: result.failure.fix,
    });
  if (result.response.status === 200) return url;
  throw new CliError(`There is no documentation at ${url} (status ${result.response.status}).`, {
    code: 'NO_DOCS',
    exitCode: exitCodes.notFound,
    hint: 'Only Topup Kit servers have documentation there. For another service, ask its operator.',
  });
}

const openDocs = defineCommand({
  name: 'docs',
  description: 'Open the documentation of the service',
  build: (command) => command.option(...printOption),
  example: 'open docs',
  run: async (context, options) => showPage(context, await findDocs(context), options),
});

const openPage = defineCommand({
  name: 'page',
  description: "Open an order's payment page",
  build: (command) => command.argument('<order-id>', 'id of the order', readOrderId).option(...printOption),
  example: 'open page INV-20260329093000-ABCDEFGH',
  async run(context, options, orderId) {
    const service = await connect(context);
    const { order } = await service.ask((client, request) => client.invoices.get(orderId, request));
    await showPage(context, order.payment_url, options);
  },
});

export const noun = defineGroup(
  `These commands print the address and open it in the browser that BROWSER names,
or in the default browser.`,
  [openDocs, openPage],
);
