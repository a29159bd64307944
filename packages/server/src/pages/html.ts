import { createHash } from 'node:crypto';
import type { html } from 'hono/html';

/** A piece of a page. */
export type Markup = ReturnType<typeof html>;

/** How a Content-Security-Policy names one inline style or script and no other. */
export const inlineSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The headers of a page that may load nothing but what `policy` allows. */
export const htmlHeaders = (policy: readonly string[]): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': ["default-src 'none'", ...policy].join('; '),
  'X-Content-Type-Options': 'nosniff',
});
