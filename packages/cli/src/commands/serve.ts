import { once } from 'node:events';
import { resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { headers, suggestSimilar } from '@topup-kit/core/contract';
import {
  providerSettings,
  type RunningServer,
  readConfig,
  type ServerConfig,
  type Setting,
  type SettingFlags,
  settingDefinitions,
  settingNames,
  startServer,
  storeName,
  type Variable,
} from '@topup-kit/server/internal';
import type { CommandContext } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { type Io, programName, setting } from '../io.ts';
import { jsonLine } from '../output/print.ts';
import { list } from '../output/table.ts';
import { shellWord } from '../output/text.ts';
import { isLoopback, sandboxBaseUrl } from '../service/connection.ts';
import { chooseStore, onSameStore } from '../store/open.ts';

const isSecret = ({ secret }: Variable<unknown>): boolean => secret === true;

/** Settings with a flag. A secret has no flag, because all users of the machine can see command lines. */
const flagged = settingNames.filter((setting) => !isSecret(settingDefinitions[setting]));

const defaultText = ({ default: value }: Variable<unknown>): string =>
  'text' in value ? value.text : value.description;

function optionFor(setting: Setting): Option {
  const variable: Variable<unknown> = settingDefinitions[setting];
  const { flag, purpose, name } = variable;
  return new Option(`${flag} <value>`, `${purpose} (${name}; default: ${defaultText(variable)})`);
}

/** Variables of the server's settings and of every command. */
const knownVariables = [
  ...settingNames.flatMap((setting) => {
    const { name, secret, holdsPassword }: Variable<unknown> = settingDefinitions[setting];
    return secret || holdsPassword ? [name, `${name}_FILE`] : [name];
  }),
  ...['TOPUP_BASE_URL', 'TOPUP_PROFILE', 'TOPUP_CONFIG', 'TOPUP_DEBUG', 'TOPUP_OPERATOR'],
];

/** Returns a line for each unknown variable that resembles a setting, such as a mistyped one. */
export function ignoredVariables(io: Io): string[] {
  const prefix = 'TOPUP_';
  const known = knownVariables.map((name) => name.replace(prefix, ''));
  return Object.keys(io.environment)
    .filter((name) => name.startsWith(prefix) && !knownVariables.includes(name))
    .filter((name) => setting(io, name) !== undefined)
    .map((name) => {
      // Compares names without their common prefix, which would make all names similar.
      const [meant] = suggestSimilar(name.slice(prefix.length), known);
      const guess = meant === undefined ? '' : ` Did you mean ${prefix}${meant}?`;
      return `${name} is not a setting of the server.${guess}`;
    });
}

/** Reads the settings given as flags; the server validates them. */
function readFlags(options: Readonly<Record<string, unknown>>): SettingFlags {
  const values = flagged.flatMap((setting) => {
    const value = options[optionFor(setting).attributeName()];
    return typeof value === 'string' ? [[setting, value] as const] : [];
  });
  return { ...(options.sandbox === true && { mode: 'sandbox' }), ...Object.fromEntries(values) };
}

export interface ServerFacts {
  config: ServerConfig;
  server: RunningServer;
  io: Io;
  /** Returns a command line for the server's store. */
  onStore: (args: string) => string;
}

export const serverDocument = ({ config, server }: ServerFacts) => ({
  mode: config.mode,
  base_url: server.baseUrl,
  console_url: server.consoleUrl,
  api_key: server.sandboxKey,
  store: config.store.kind === 'file' ? `file:${resolve(config.store.path)}` : storeName(config.store),
  seeded: server.seeded,
  upgraded: server.upgraded && {
    from_format: server.upgraded.from,
    to_format: server.upgraded.to,
    kept_at: server.upgraded.copy,
  },
});

function dataLocation({ config: { store }, server: { seeded } }: ServerFacts): string {
  switch (store.kind) {
    case 'memory':
      return 'in memory, lost when the server stops';
    case 'file':
      return `${resolve(store.path)}${seeded ? ' (new)' : ''}`;
    case 'postgres':
      return `${storeName(store)}${seeded ? ' (new)' : ''}`;
  }
}

/** Describes the upgrade of a store of an older format. */
const upgradeLines = ({ server: { upgraded } }: ServerFacts): [string, string | null][] =>
  upgraded === null
    ? []
    : [
        ['', `upgraded from format ${upgraded.from} to ${upgraded.to}`],
        ...(upgraded.copy === null ? [] : [['', `before: ${upgraded.copy}`] satisfies [string, string]]),
      ];

/** Returns the well-known key. It works only in direct requests on this machine, so never behind TLS. */
const loopbackKey = ({ server: { sandboxKey, localUrl, publicUrl } }: ServerFacts): string | null =>
  isLoopback(new URL(localUrl)) && !publicUrl.startsWith('https:') ? sandboxKey : null;

/** Tells whether other machines, or the host of a container, can reach the server. */
const isExposed = ({ config, server }: ServerFacts): boolean =>
  config.host !== '127.0.0.1' || server.publicUrl !== server.localUrl;

/** Describes a key that works from everywhere. Only a sandbox accepts the key in TOPUP_API_KEY. */
function ownKey({ config: { mode, apiKey, store } }: ServerFacts): string {
  if (mode === 'sandbox' && apiKey !== undefined) return 'the one in TOPUP_API_KEY';
  return store.kind === 'memory' ? 'none; set TOPUP_API_KEY to a key' : 'one of `topup keys create`';
}

/** Describes from where each key works. The well-known key is on the line above. */
function keyLines(started: ServerFacts): [string, string | null][] {
  const own = ownKey(started);
  if (loopbackKey(started) === null) return [['Key', own]];
  if (!isExposed(started)) return [];
  return [
    ['', 'only on this machine; in a container, only inside it'],
    ['', `from anywhere: ${own}`],
  ];
}

/** Describes the addresses, because the API's URL on this machine doesn't show the address for other machines. */
const addressLines = ({ config, server }: ServerFacts): [string, string | null][] =>
  ['0.0.0.0', '::'].includes(config.host) && server.publicUrl === server.localUrl
    ? [['', "from elsewhere: this machine's address instead of 127.0.0.1"]]
    : [];

/** Describes the URL of the console, and how to log in if that is necessary. */
function consoleLines({ config, server, onStore }: ServerFacts): [string, string | null][] {
  const canLogIn = config.store.kind !== 'memory' && config.console !== undefined;
  return server.consoleUrl === null
    ? []
    : [
        ['Console', server.consoleUrl],
        ...(canLogIn ? [['', `log in: ${onStore('console link')}`] satisfies [string, string]] : []),
      ];
}

const localBaseUrl = ({ config, server }: ServerFacts): string => server.localUrl + config.basePath;

/** Tells whether the examples use the key in TOPUP_API_KEY, which works from everywhere. */
const usesOwnKey = (started: ServerFacts): boolean =>
  loopbackKey(started) === null || (isExposed(started) && started.config.apiKey !== undefined);

/** Describes how to create the first key of a new store. */
function firstKeyLines(started: ServerFacts): string {
  const { config, server, onStore } = started;
  const needsOne = server.seeded && loopbackKey(started) === null && config.store.kind !== 'memory';
  return needsOne
    ? `Make a key for each shop; it is shown only once:\n\n  ${onStore('keys create --name my-shop')}\n\n`
    : '';
}

function curlLine(started: ServerFacts): string {
  const header = usesOwnKey(started) ? '"X-API-KEY: $TOPUP_API_KEY"' : `'X-API-KEY: ${loopbackKey(started)}'`;
  return `curl -H ${header} \\\n    ${shellWord(`${localBaseUrl(started)}/games`)}`;
}

function cliLine(started: ServerFacts, args: string): string {
  const baseUrl = localBaseUrl(started);
  const elsewhere = baseUrl === sandboxBaseUrl ? '' : ` --base-url ${shellWord(baseUrl)}`;
  return `${programName(started.io)} ${args}${elsewhere}`;
}

/** Describes how to simulate faults, for everyone or for one request. */
const faultLines = (started: ServerFacts): string =>
  `To simulate a fault (for one request, with the header ${headers.scenario}):

  ${cliLine(started, 'sandbox scenario')}

`;

/** Returns the message after the start of the server. */
export function greeting(started: ServerFacts): string {
  const { config, server } = started;
  const sandbox = config.mode === 'sandbox';
  return `
Topup Kit is running.

${list([
  ['Mode', sandbox ? 'sandbox: no real money, nothing is delivered' : 'live: real money'],
  ['Base URL', server.baseUrl],
  ...addressLines(started),
  ['Key', loopbackKey(started)],
  ...keyLines(started),
  ...consoleLines(started),
  ['Data', dataLocation(started)],
  ...upgradeLines(started),
])}
${firstKeyLines(started)}Try it from another terminal${usesOwnKey(started) ? ', with TOPUP_API_KEY set to the key' : ''}:

  ${cliLine(started, 'games list')}

  ${curlLine(started)}

${sandbox ? faultLines(started) : ''}Ctrl+C stops it.
`;
}

/** Resolves when the pipe ends, and ignores its content. */
async function endOf(pipe: Io['stdin']): Promise<void> {
  for await (const _ of pipe);
}

/** Waits for a signal, or for the end of the process at the other end of stdin. */
async function untilStopped(io: Io, endsWithParent: boolean): Promise<void> {
  if (!io.signal || io.signal.aborted) return;
  const signalled = once(io.signal, 'abort');
  // A reset pipe has also ended.
  await (endsWithParent && io.stdinIsPipe
    ? Promise.race([signalled, endOf(io.stdin).catch(() => {})])
    : signalled);
}

/** Uses the store of the profile if neither a flag nor the environment names one. */
function withProfileStore(context: CommandContext, flags: SettingFlags): SettingFlags {
  const { value, origin } = chooseStore(context, flags.store);
  return origin === 'profile' ? { ...flags, store: value } : flags;
}

/** Variables of each provider, one per line. */
const providerHelp = Object.entries(providerSettings)
  .flatMap(([provider, ofProvider]) =>
    ofProvider.map(({ name, default: value }, index) => {
      const variable = value === null ? name : `[${name}]`;
      return `  ${(index === 0 ? provider : '').padEnd(14)}${variable}\n`;
    }),
  )
  .join('');

export const noun = defineCommand({
  build(command) {
    const withSandbox = command.addOption(
      new Option('--sandbox', 'start a sandbox with a well-known key (--mode sandbox)').conflicts('mode'),
    );
    for (const setting of flagged) command.addOption(optionFor(setting));
    return withSandbox.option(
      '--print-json',
      'print base URL, key and process id as a line of JSON once requests are accepted, and stop when stdin ends',
    );
  },
  help: `A flag takes precedence over the environment, and the environment over the
profile's store. TOPUP_API_KEY adds a key to a sandbox.

A live server needs a gateway and a supplier, and the settings of both:

${providerHelp}
Those in brackets have defaults. A secret X may also be in the file that X_FILE
names. docs/going-live.md of the repository explains each.

--print-json is for programs that start a server, such as tests: give it a pipe as
stdin, and it stops when the program ends, however that happens. With a terminal, a
file or /dev/null as stdin, it serves until a signal.`,
  example: 'serve --sandbox --port 4100',
  /** Serves until the process is stopped; stopping is not an error. */
  async run(context, options) {
    const { io } = context;
    const ignored = ignoredVariables(io);
    if (ignored.length > 0) context.remark(ignored.join('\n'));
    const flags = readFlags(options);
    const config = readConfig(io.environment, withProfileStore(context, flags));
    await using server = await startServer(config);
    const started = { config, server, io, onStore: onSameStore(context, flags) };
    const document = serverDocument(started);
    if (options.printJson) {
      const started = { ...document, pid: process.pid };
      await context.printNext({ document: started, screen: () => jsonLine(started) });
    } else await context.print({ document, screen: () => greeting(started) });
    await untilStopped(io, options.printJson === true);
    // Without a terminal, stderr is a log.
    if (io.terminal)
      context.remark('Stopping: finishing the requests in progress. Press Ctrl+C again to stop immediately.');
  },
});
