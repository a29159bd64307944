import { reasonOf, usageError } from '../errors/cli-error.ts';
import type { Io } from '../io.ts';
import { createPrompts, type Prompts, stopped } from './prompts.ts';

async function textOf(stdin: Io['stdin']): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stdin)
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Reads stdin to its end. The writer may never finish, so the wait can be aborted. */
function readAll({ stdin, signal }: Io): Promise<string> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal?.addEventListener('abort', () => reject(stopped(signal)), { once: true });
  return Promise.race([textOf(stdin), promise]);
}

/** Tells whether a string can be sent as a header. */
export const isKeyText = (text: string): boolean => /^[!-~]+$/.test(text);

export const askKey = (prompts: Prompts): Promise<string> =>
  prompts.secret('Key that the service gave you (not shown)', {
    check: (text) => (isKeyText(text) ? undefined : 'Enter the complete key, without spaces'),
  });

async function readText(io: Io, file: string, flag: string): Promise<string> {
  // A key that is typed without a prompt would stay visible on the terminal.
  if (file === '-') return io.terminal ? askKey(await createPrompts(io, io.terminal)) : readAll(io);
  try {
    // Loaded only here, because few commands need this module, and it loads much of Node.
    const { readFile } = await import('node:fs/promises');
    return await readFile(file, 'utf8');
  } catch (error) {
    throw usageError(`${flag} ${file} can't be read: ${reasonOf(error)}.`);
  }
}

/** Reads a key from a file, or from stdin if the file is `-`, without the trailing line break. */
export async function readSecret(io: Io, file: string, flag: string): Promise<string> {
  const secret = (await readText(io, file, flag)).trim();
  if (secret === '') throw usageError(`${flag} ${file} is empty.`);
  if (!isKeyText(secret))
    throw usageError(`${flag} ${file} contains no key: a key is one line of visible ASCII characters.`);
  return secret;
}
