/** Warns the developer who uses the mock. */
export function logWarning(text: string): void {
  // biome-ignore lint/suspicious/noConsole: the console is the only output of a mock.
  console.warn(`[topup-kit] ${text}`);
}

/** Reports an internal error of the mock. */
export function logError(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the console is the only output of a mock.
  console.error('[topup-kit]', error);
}
