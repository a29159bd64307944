import { redactSecrets } from '../../observability/redact.ts';
import type { Markup } from '../../pages/html.ts';
import { copyable } from './parts.ts';
import type { View } from './view.ts';

/** Indents JSON; returns any other text unchanged. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Renders a sent or received body with likely secrets removed. `id` is unique on its page. */
export const rawBody = (view: View, id: string, text: string): Markup =>
  copyable(id, redactSecrets(readable(text)), view.words({}).copy);
