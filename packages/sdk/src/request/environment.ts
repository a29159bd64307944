import { inBrowser } from './check-options.ts';

/**
 * A non-empty environment variable. It is read from `globalThis`, because bundlers replace `process.env.NAME` by the
 * value, which would put a key into a page.
 */
export function variable(name: string): string | undefined {
  if (inBrowser()) return undefined;
  try {
    const { process }: { process?: { env?: Record<string, string> } } = Object(globalThis);
    return process?.env?.[name] || undefined;
  } catch {
    // Deno throws without the permission to read the variable.
    return undefined;
  }
}
