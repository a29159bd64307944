import { changeProfile, profileToChange } from '../config/edit.ts';
import {
  type ChosenProfile,
  chooseProfile,
  maskKey,
  overruled,
  type ResolvedSetting,
} from '../config/resolve.ts';
import type { CommandContext } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, exitCodes, usageError } from '../errors/cli-error.ts';
import { createPrompts, type Prompts } from '../input/prompts.ts';
import { askKey, readSecret } from '../input/secret.ts';
import { type Io, programName } from '../io.ts';
import { factList } from '../output/table.ts';
import { printable } from '../output/text.ts';
import { serviceAt } from '../service/client.ts';
import {
  chooseBaseUrl,
  invalidBaseUrl,
  isLoopback,
  parseBaseUrl,
  type ServiceConnection,
} from '../service/connection.ts';

const missing = () =>
  usageError(
    'login needs --base-url, and --key-file with the key.',
    'At a terminal it asks for both. --key-file - reads the key from stdin.',
  );

async function askBaseUrl(prompts: Prompts | undefined, known: ResolvedSetting): Promise<ResolvedSetting> {
  if (known.origin === 'flag' || known.origin === 'environment') return known;
  if (!prompts) {
    if (known.origin === 'default') throw missing();
    return known;
  }
  const value = await prompts.text('Base URL of the service', {
    example: 'https://shop.example/api',
    ...(known.origin === 'profile' && { initial: known.value }),
    check: (text) =>
      parseBaseUrl(text) ? undefined : 'Enter an http(s) URL, such as https://shop.example/api',
  });
  return { ...known, value };
}

/** Reads the service and its key from flags or prompts. */
async function askCredentials(context: CommandContext, profile: ChosenProfile): Promise<ServiceConnection> {
  const { keyFile } = context.globals;
  const terminal = context.promptTerminal;
  if (!terminal && keyFile === undefined) throw missing();
  const prompts = terminal && (await createPrompts(context.io, terminal));
  const { value: baseUrl, ...from } = await askBaseUrl(prompts, chooseBaseUrl(context, profile));
  const address = { baseUrl, urlFrom: from.origin, urlSource: from.source, profile };
  if (!parseBaseUrl(baseUrl)) throw invalidBaseUrl(address);
  if (keyFile !== undefined)
    return {
      ...address,
      apiKey: await readSecret(context.io, keyFile, '--key-file'),
      keyFrom: 'flag',
      keySource: '--key-file',
    };
  if (!prompts) throw missing();
  return { ...address, apiKey: await askKey(prompts), keyFrom: 'flag', keySource: 'the prompt' };
}

/** Checks a key by listing the games. A key without this permission is valid, too. */
async function checkKey(context: CommandContext, connection: ServiceConnection): Promise<void> {
  const service = await serviceAt(context, connection);
  try {
    await service.ask((client, options) => client.games.list(options));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (error.details.code === 'FORBIDDEN') return;
    throw notKept(error, connection);
  }
}

function notKept(error: CliError, { baseUrl }: ServiceConnection): CliError {
  const { exitCode, hint = '' } = error.details;
  return exitCode === exitCodes.auth
    ? error.with(
        { hint: 'Copy the whole key again, and check that it is for this service.' },
        `${baseUrl} does not accept this key, so nothing was saved.`,
      )
    : error.with({ hint: `Nothing was saved. ${hint}`.trim() });
}

/** Saves a service and its key in a profile after the service has accepted the key. */
export async function login(context: CommandContext): Promise<void> {
  const profile = profileToChange(context);
  const connection = await askCredentials(context, profile);
  const { baseUrl, apiKey } = connection;
  await checkKey(context, connection);
  await changeProfile(profile, (before) => ({ ...before, base_url: baseUrl, api_key: apiKey }), true);
  const key = maskKey(apiKey);
  await context.print({
    document: { profile: profile.name, base_url: baseUrl, api_key: key, config_file: profile.path },
    screen: factList([
      ['Profile', `${profile.name}, now in use`],
      ['Base URL', baseUrl, 'address'],
      ['Key', `${key}, accepted by the service`, 'good'],
      ['Kept in', profile.path],
    ]),
  });
  context.remark(nextSteps(context.io, connection));
}

function nextSteps(io: Io, { baseUrl }: ServiceConnection): string {
  const url = new URL(baseUrl);
  const clear =
    url.protocol === 'http:' && !isLoopback(url)
      ? `\n${printable(url.origin)} is not encrypted: others can read the key on the network.`
      : undefined;
  const wins = overruled(io, 'base_url', 'api_key');
  const next = `\nTo list its games:\n  ${programName(io)} games list`;
  return [clear, wins && `\n${wins}`, next].filter((text) => text !== undefined).join('\n');
}

export const noun = defineCommand({
  help: `At a terminal it asks for the base URL and for the key, which is not shown.
Elsewhere give --base-url and --key-file. It checks the key with the service and
saves both in a file that only you can read.`,
  example: 'login --profile shop --base-url https://shop.example/api',
  run: login,
});

export const logoutCommand = defineCommand({
  example: 'logout --profile shop',
  async run(context) {
    const profile = chooseProfile(context);
    const { name, settings } = profile;
    const kept = settings.api_key !== undefined;
    if (kept) await changeProfile(profile, ({ api_key: _forgotten, ...others }) => others);
    await context.print({
      document: { profile: name, forgotten: kept },
      screen: () => (kept ? `The key of profile ${name} was removed.\n` : `Profile ${name} has no key.\n`),
    });
    if (kept)
      context.remark('The key itself still works: revoke it at the service if it is no longer needed.');
    const wins = overruled(context.io, 'api_key');
    if (wins !== undefined) context.remark(wins);
  },
});
