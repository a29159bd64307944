/** Warns the developer who uses the mock, in the same words in Node and in a browser. */
export function logWarning(text: string): void {
  // biome-ignore lint/suspicious/noConsole: a mock has no other way to speak to a developer.
  console.warn(`[topup-kit] ${text}`);
}

/** Reports a fault of the mock itself. */
export function logError(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: a mock has no other way to speak to a developer.
  console.error('[topup-kit]', error);
}
