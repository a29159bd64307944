import { createHash } from 'node:crypto';
import type { html } from 'hono/html';

/** A piece of a page. */
export type Markup = ReturnType<typeof html>;

/** The Content-Security-Policy source that allows exactly this inline style or script. */
export const inlineSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The headers of a page that may load only what `policy` allows, has no other base, and is in no frame. */
export const htmlHeaders = (policy: readonly string[]): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': [
    "default-src 'none'",
    ...policy,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  // The address of a payment page is a secret.
  'Referrer-Policy': 'no-referrer',
});
