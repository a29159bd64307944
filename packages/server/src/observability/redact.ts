import { hideKeys } from '@topup-kit/core/contract';
import { StoreError } from '@topup-kit/core/store';
import { PostgresError } from '../postgres/postgres-error.ts';
import { StoreFileError } from '../sqlite/index.ts';

const maxLength = 500;

/** Matches the text after the name of a secret in JSON, a query, a header or a sentence, unless the secret was already replaced. */
const named =
  /((?:api[_-]?(?:key|id)|server[_-]?key|client[_-]?key|private[_-]?key|secret|token|passw(?:or)?d|authorization|signature|sign)["'\\]*\s*[:=]\s*["'\\]*)(?:(?:basic|bearer)\s+)?(?!\[secret(?: \d+)?\])[^\s"'\\,;&)}]+/gi;

/** Matches a secret in a sentence, if it doesn't look like a word. */
const described = /\b([Kk]ey|[Ss]ecret|[Tt]oken|[Pp]assword|[Ss]ignature) is (?=\S{8})(?=\S*[\dA-Z])\S+/g;

const credentials = /\b(basic|bearer)\s+[\w+/=.-]{8,}/gi;

/** Matches the user name and password of a URL. */
const userInfo = /(\w+:\/\/)[^\s/@]+@/g;

/** Matches a message of `JSON.parse`, which quotes the text that it could not read: a damaged row, or a body. */
const quotedJson = /^.*\b(?:is not valid JSON|in JSON at position)\b.*$/s;

/** Removes everything that looks like a secret from a string of any length. */
export const redactSecrets = (text: string): string =>
  hideKeys(text)
    .replace(named, '$1[secret]')
    .replace(described, '$1 is [secret]')
    .replace(credentials, '$1 [secret]')
    .replace(userInfo, '$1[secret]@');

/**
 * Removes everything that looks like a secret from a string, and also the input that `JSON.parse` quotes. {@link
 * hideSecrets} later removes the settings' secrets from the whole line.
 */
export function redactText(text: string): string {
  if (quotedJson.test(text)) return 'A text is not valid JSON.';
  const clean = redactSecrets(text);
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean;
}

const maxCauses = 4;

/**
 * Errors for failures at a provider, including those of scenarios: the message is enough, and the stack would only show this kit's request.
 * Errors of stores are treated alike.
 */
const expectedNames: ReadonlySet<string> = new Set(['ProviderError', 'IntendedError']);

/** Returns the lines of a stack, without the message at its beginning. */
const placesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');

/** Parts of an error to log, without its other properties, such as a request. */
export class LoggedError {
  readonly type: string;
  readonly code?: string;
  /** Problem of the store. */
  readonly problem?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: LoggedError;

  constructor(error: unknown, { withStack = true } = {}, depth = 0) {
    if (!(error instanceof Error)) {
      this.type = typeof error;
      this.message =
        typeof error === 'string' ? redactText(error) : 'A value that is not an Error was thrown.';
      return;
    }
    const { name, message, stack, cause } = error;
    this.type = redactText(name);
    if ('code' in error && typeof error.code === 'string') this.code = redactText(error.code);
    if (error instanceof StoreFileError || error instanceof PostgresError) this.problem = error.problem;
    this.message = redactText(message);
    const isUnexpected = withStack && !expectedNames.has(name) && !(error instanceof StoreError);
    if (isUnexpected && stack !== undefined) this.stack = placesOf(stack);
    if (cause !== undefined && cause !== null && depth < maxCauses)
      this.cause = new LoggedError(cause, { withStack: isUnexpected }, depth + 1);
  }
}

/** Creates a function that removes secrets from any place in a line of JSON. */
export function hideSecrets(secrets: readonly string[]): (line: string) => string {
  const written = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  // The longest secret comes first, because a secret may contain another secret.
  const all = [...new Set(written)].sort((a, b) => b.length - a.length);
  return (line) => hideKeys(all.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line));
}
