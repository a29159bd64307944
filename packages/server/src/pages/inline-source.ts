import { createHash } from 'node:crypto';

/** How a Content-Security-Policy names one inline style or script and no other. */
export const inlineSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
