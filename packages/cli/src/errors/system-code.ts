/** The system's code, which runtimes put some causes deep. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[A-Z][A-Z\d_]+$/.test(code) ? code : systemCode(error.cause);
}
