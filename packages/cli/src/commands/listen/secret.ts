import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createWebhookSecret, isWebhookSecret, webhookSecretRule } from '@topup-kit/core/contract';
import type { CommandContext } from '../../context.ts';
import { reasonOf, systemCode, usageError } from '../../errors/cli-error.ts';

const newSecret = (): string => createWebhookSecret(randomBytes(24));

const unusable = (file: string, error: unknown) =>
  usageError(`--secret-file ${file} can't be used: ${reasonOf(error)}.`);

async function createFile(file: string): Promise<string> {
  const secret = newSecret();
  try {
    await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw unusable(file, error);
  }
  return secret;
}

async function readOrCreate(context: CommandContext, file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw unusable(file, error);
    const secret = await createFile(file);
    context.remark(`Created a secret that signs events, in ${file}.`);
    return secret;
  }
  const secret = text.trim();
  if (!isWebhookSecret(secret)) throw usageError(`--secret-file ${file} has none. ${webhookSecretRule}`);
  return secret;
}

/** Returns the signing secret for forwarded events: from the file, which is created if it is missing, or a new secret, which is printed. */
export async function chooseSecret(context: CommandContext, file: string | undefined): Promise<string> {
  if (file !== undefined) return readOrCreate(context, file);
  const secret = newSecret();
  // Printed even with --json and --quiet, because the secret is shown nowhere else.
  context.io.stderr.write(`Secret of this run, with which the receiver verifies events: ${secret}\n`);
  return secret;
}
