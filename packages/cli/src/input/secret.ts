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

/** Whoever is to write it may never do so, and the wait for it can be stopped. */
function readAll({ stdin, signal }: Io): Promise<string> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal?.addEventListener('abort', () => reject(stopped(signal)), { once: true });
  return Promise.race([textOf(stdin), promise]);
}

/** What can stand in the header of a request. */
export const isKeyText = (text: string): boolean => /^[!-~]+$/.test(text);

/** Asks for a key, which is not shown while it is typed. */
export const askKey = (prompts: Prompts): Promise<string> =>
  prompts.secret('Key that the service gave you (not shown)', {
    check: (text) => (isKeyText(text) ? undefined : 'Enter the whole key, without spaces'),
  });

async function readText(io: Io, file: string, flag: string): Promise<string> {
  // What is typed at a terminal would stay on the screen.
  if (file === '-') return io.terminal ? askKey(await createPrompts(io, io.terminal)) : readAll(io);
  try {
    // Loads much of Node that hardly a command needs.
    const { readFile } = await import('node:fs/promises');
    return await readFile(file, 'utf8');
  } catch (error) {
    throw usageError(`${flag} ${file} can't be read: ${reasonOf(error)}.`);
  }
}

/** A key from a file, or from stdin when the file is `-`; without the line break at its end. */
export async function readSecret(io: Io, file: string, flag: string): Promise<string> {
  const secret = (await readText(io, file, flag)).trim();
  if (secret === '') throw usageError(`${flag} ${file} is empty.`);
  if (!isKeyText(secret))
    throw usageError(`${flag} ${file} contains no key: a key is one line of visible ASCII characters.`);
  return secret;
}
