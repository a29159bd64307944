import type { ChosenProfile, Sourced } from '../../config/resolve.ts';
import type { CommandContext } from '../../context.ts';
import { usageProblem } from '../../errors/cli-error.ts';
import { createPrompts, type Prompts } from '../../input/prompts.ts';
import { askKey, readSecret } from '../../input/secret.ts';
import { type Connection, chooseBaseUrl, invalidBaseUrl, parseBaseUrl } from '../../service/connection.ts';

const missing = () =>
  usageProblem(
    'login takes --base-url, and --key-file with the key.',
    'At a terminal it asks for both. --key-file - reads the key from stdin.',
  );

async function askBaseUrl(prompts: Prompts | undefined, known: Sourced): Promise<Sourced> {
  if (known.origin === 'flag' || known.origin === 'environment') return known;
  if (!prompts) {
    if (known.origin === 'default') throw missing();
    return known;
  }
  const value = await prompts.text('Base URL of the service', {
    example: 'https://shop.example/api',
    ...(known.origin === 'profile' && { initial: known.value }),
    check: (text) =>
      parseBaseUrl(text) ? undefined : 'It takes an http(s) URL, such as https://shop.example/api',
  });
  return { ...known, value };
}

/** What service to keep, and its key: from flags, or from the person at the terminal. */
export async function askCredentials(context: CommandContext, profile: ChosenProfile): Promise<Connection> {
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
  return { ...address, apiKey: await askKey(prompts), keyFrom: 'flag', keySource: 'what you typed' };
}
