import { html, type Markup } from '../../pages/html.ts';

/** Strokes of each icon in a box of 24 by 24. */
const strokes = {
  alert: 'M12 4 2.5 20h19zM12 10v4M12 17v.5',
  bolt: 'M13 2 4 14h6l-1 8 9-12h-6z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2',
  cross: 'M6 6l12 12M18 6 6 18',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
  down: 'M12 5v14M6 13l6 6 6-6',
  filter: 'M4 6h16M7 12h10M10 18h4',
  flask: 'M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M7.5 15h9',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  hourglass: 'M7 3h10v3l-5 6 5 6v3H7v-3l5-6-5-6z',
  left: 'M15 5l-7 7 7 7',
  out: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  plug: 'M12 22v-4M8 2v6M16 2v6M5 8h14v3a7 7 0 0 1-14 0z',
  question:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.7a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.6M12 16.5v.5',
  receipt: 'M5 3h14v18l-3-2-2 2-2-2-2 2-2-2-3 2zM9 8h6M9 12h6',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.5 16.5 21 21',
  spin: 'M12 3a9 9 0 1 1-9 9',
  stop: 'M8.5 3h7L21 8.5v7L15.5 21h-7L3 15.5v-7zM12 8v5M12 16v.5',
  tag: 'M4 4h8l8 8-8 8-8-8zM8.5 8.5v.01',
  undo: 'M4 9h10a5 5 0 0 1 0 10H8M4 9l4-4M4 9l4 4',
  up: 'M12 19V5M6 11l6-6 6 6',
  wallet: 'M18 8V5H6a2 2 0 0 0 0 4h14v11H6a2 2 0 0 1-2-2V7M16 14.5h.5',
};
export type IconName = keyof typeof strokes;

/** Renders an icon next to a text with the same meaning; screen readers skip the icon. */
export const icon = (name: IconName): Markup =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${strokes[name]}"/></svg>`;
