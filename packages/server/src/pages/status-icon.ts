import { html, raw } from 'hono/html';
import type { Face } from './order-face.ts';

const circle = '<circle cx="12" cy="12" r="9"/>';

/** Strokes on a field of 24 by 24; each face has a shape of its own, so that none is told by colour alone. */
const strokes: Record<Face, string> = {
  waiting: `${circle}<path d="M12 7v5l3.5 2"/>`,
  processing: '<path class="turns" d="M21 12a9 9 0 1 1-6.2-8.6"/><path d="M12 8v8M9 13l3 3 3-3"/>',
  delivered: `${circle}<path d="m8 12.5 2.8 2.8L16 9.5"/>`,
  undelivered: '<path d="M12 3.5 2.5 20h19L12 3.5ZM12 10v4.5M12 17.2v.1"/>',
  failed: `${circle}<path d="m9 9 6 6M15 9l-6 6"/>`,
  expired: '<path d="M7 3h10M7 21h10M8 3v3.5l4 5.5 4-5.5V3M8 21v-3.5l4-5.5 4 5.5V21"/>',
  cancelled: `${circle}<path d="m6 6 12 12"/>`,
  refunded: '<path d="M9 14 4 9l5-5"/><path d="M4 9h10a6 6 0 0 1 0 12h-3"/>',
};

/** A picture beside words that say the same; no reader needs to hear of it. */
export const statusIcon = (face: Face): ReturnType<typeof html> =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${raw(strokes[face])}</svg>`;
