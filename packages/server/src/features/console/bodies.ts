import { redactSecrets } from '../../observability/redact.ts';
import type { Markup } from '../../pages/html.ts';
import { copyable } from './parts.ts';
import type { View } from './view.ts';

const texts = { id: { copy: 'Salin' }, en: { copy: 'Copy' } };

/** JSON in lines; anything else as it is. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A body that was sent or received, without what looks like a secret. `id` is unique in its page. */
export const rawBody = (view: View, id: string, text: string): Markup =>
  copyable(id, redactSecrets(readable(text)), view.text(texts).copy);
