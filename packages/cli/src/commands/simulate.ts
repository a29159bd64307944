import { once } from 'node:events';
import { type ProviderName, providers } from '@topup-kit/providers/registry';
import {
  faults,
  type RunningSimulators,
  SimulatorAddressError,
  startSimulators,
} from '@topup-kit/simulators';
import { defineCommand, type NewCommand } from '../define-command.ts';
import { CliError, exitCodes, usageError } from '../errors/cli-error.ts';
import { type Io, setting } from '../io.ts';
import { list } from '../output/table.ts';

const defaultPort = '4300';

/** Returns `PROVIDER_NAME`, with which the settings of a provider begin. */
const settingPrefix = (provider: ProviderName): string => provider.toUpperCase().replaceAll('-', '_');

/** Flag and variable with the callback URL of each provider. */
const callbacks = providers.map(({ name: provider }) => ({
  provider,
  flag: `--${provider}-callback`,
  variable: `${settingPrefix(provider)}_CALLBACK_URL`,
}));

function addCallbackOptions(command: NewCommand): void {
  for (const { provider, flag, variable } of callbacks)
    command.option(`${flag} <url>`, `URL for callbacks of ${provider} (${variable})`);
}

function readPort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw usageError(`--port takes a whole number from 0 to 65535, not "${text}".`);
}

/** Reads the callback URLs. A flag takes precedence over its variable. */
function readCallbackUrls(
  options: Readonly<Record<string, unknown>>,
  io: Io,
): Partial<Record<ProviderName, string>> {
  const urls = callbacks.flatMap(({ provider, flag, variable }) => {
    const flagged =
      options[`${flag.slice(2).replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())}`];
    const text = typeof flagged === 'string' ? flagged : setting(io, variable);
    if (text === undefined) return [];
    const url = URL.parse(text);
    if (!url || !/^https?:$/.test(url.protocol))
      throw usageError(
        `${typeof flagged === 'string' ? flag : variable} takes an http(s) URL, not "${text}".`,
      );
    return [[provider, url.href] as const];
  });
  return Object.fromEntries(urls);
}

/** Returns the message after the start of the simulators, with settings to copy into a file. */
function greeting(
  { url, providers: running }: RunningSimulators,
  callbackUrls: Partial<Record<ProviderName, string>>,
): string {
  const sections = running.map(({ name, title, baseUrl, credentials }) => {
    const settings = Object.entries({ [`${settingPrefix(name)}_BASE_URL`]: baseUrl, ...credentials });
    const callback = callbackUrls[name] ?? `not sent, see --${name}-callback`;
    return `# ${title}, callbacks to ${callback}
${settings.map(([key, value]) => `${key}=${value}\n`).join('')}`;
  });
  return `
The simulators are running: no real money, and nothing is delivered.

${list([
  ['Page', url],
  ['Control', `${url}/control`],
])}
${sections.join('\n')}
Ctrl+C stops them.
`;
}

async function start(options: Parameters<typeof startSimulators>[0]): Promise<RunningSimulators> {
  try {
    return await startSimulators(options);
  } catch (error) {
    if (!(error instanceof SimulatorAddressError)) throw error;
    throw new CliError(error.message, { code: 'CONFIG', exitCode: exitCodes.failure, cause: error });
  }
}

/** Provider in the example of the help. */
const { name: example } = providers[0];

const faultHelp = Object.keys(faults)
  .map((name) => `  ${name}`)
  .join('\n');

export const noun = defineCommand({
  build(command) {
    const withAddress = command
      .option('--host <value>', 'address to listen on', '127.0.0.1')
      .option('--port <value>', 'port to listen on; 0 chooses a free one', defaultPort);
    addCallbackOptions(command);
    return withAddress;
  },
  help: `The keys are fixed and printed at the start. A POST to /control/faults simulates
a fault, such as {"provider": "${example}", "fault": "lost-response"};
GET /control/faults explains each of these:
${faultHelp}`,
  example: `simulate --${example}-callback http://127.0.0.1:4000/callback/${example}`,
  /** Serves until the process is stopped; stopping is not an error. */
  async run(context, options) {
    const { io } = context;
    const callbackUrls = readCallbackUrls(options, io);
    await using simulators = await start({ host: options.host, port: readPort(options.port), callbackUrls });
    const { url } = simulators;
    await context.print({
      document: {
        url,
        control_url: `${url}/control`,
        providers: simulators.providers.map(({ name, baseUrl, credentials }) => ({
          name,
          base_url: baseUrl,
          credentials,
          callback_url: callbackUrls[name] ?? null,
        })),
      },
      screen: () => greeting(simulators, callbackUrls),
    });
    if (io.signal && !io.signal.aborted) await once(io.signal, 'abort');
    context.remark('Stopping.');
  },
});
