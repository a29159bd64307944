/** Says something to whoever develops with the mock, in the same words in Node and in a browser. */
export function warn(text: string): void {
  // biome-ignore lint/suspicious/noConsole: a mock has no other way to speak to a developer.
  console.warn(`[topup-kit] ${text}`);
}

/** Tells of a fault of the mock itself. */
export function tellError(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: a mock has no other way to speak to a developer.
  console.error('[topup-kit]', error);
}
