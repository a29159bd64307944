import { around, linearGradient, short, sparkle } from './svg.ts';

/** A thing to buy, drawn around the point 0 0, about 120 wide and high; needs {@link treasureGradients}. */
export type Treasure = string;

const facet = (points: string, fill: string, opacity = 1): string =>
  `<polygon points="${points}" fill="${fill}" fill-opacity="${opacity}"/>`;

const shadow = '<ellipse cy="66" rx="46" ry="8" fill="#000000" fill-opacity=".28"/>';

/** Gradients that the treasures refer to. */
export const treasureGradients = [
  linearGradient('gem', 'diagonal', [0, '#7dd3fc'], [0.5, '#3b82f6'], [1, '#6d28d9']),
  linearGradient('crystal', 'down', [0, '#f5d0fe'], [0.5, '#c084fc'], [1, '#4f46e5']),
  linearGradient('gold', 'diagonal', [0, '#fef3c7'], [0.4, '#fbbf24'], [1, '#b45309']),
  linearGradient('coin', 'diagonal', [0, '#f59e0b'], [1, '#fcd34d']),
  linearGradient('pass', 'diagonal', [0, '#fde68a'], [0.45, '#f472b6'], [1, '#7c3aed']),
].join('');

/** A cut diamond. */
export const gem: Treasure = [
  shadow,
  facet('-62,-18 -36,-52 36,-52 62,-18 0,60', 'url(#gem)'),
  facet('-36,-52 36,-52 18,-18 -18,-18', '#ffffff', 0.62),
  facet('-36,-52 -18,-18 -62,-18', '#ffffff', 0.34),
  facet('36,-52 62,-18 18,-18', '#ffffff', 0.16),
  facet('-62,-18 -18,-18 0,60', '#ffffff', 0.14),
  facet('-18,-18 18,-18 0,60', '#ffffff', 0.3),
  facet('18,-18 62,-18 0,60', '#1e1b4b', 0.18),
].join('');

/** A cluster of crystals. */
export const crystal: Treasure = [
  shadow,
  facet('-50,-4 -34,-24 -14,44 -32,60', 'url(#crystal)'),
  facet('-50,-4 -40,-2 -32,60', '#ffffff', 0.35),
  facet('48,-14 36,-36 14,40 32,60', 'url(#crystal)'),
  facet('48,-14 38,-10 32,60', '#1e1b4b', 0.25),
  facet('0,-64 24,-36 18,50 0,64 -18,50 -24,-36', 'url(#crystal)'),
  facet('0,-64 -24,-36 -18,50 0,64 -6,-30', '#ffffff', 0.42),
  facet('0,-64 24,-36 -6,-30', '#ffffff', 0.2),
  facet('24,-36 18,50 0,64 8,-32', '#1e1b4b', 0.16),
].join('');

const fivePoints = Array.from({ length: 10 }, (_, index) => {
  const { x, y } = around({ x: 0, y: 0 }, index % 2 ? 13 : 30, index / 10);
  return `${short(x)},${short(y)}`;
}).join(' ');

const glint = 'fill="none" stroke="#ffffff" stroke-width="6" stroke-linecap="round" stroke-opacity=".8"';

/** A gold coin with a star on it. */
export const coin: Treasure = [
  shadow,
  '<circle cy="6" r="56" fill="#92400e"/>',
  '<circle r="56" fill="url(#gold)"/>',
  '<circle r="44" fill="url(#coin)" stroke="#b45309" stroke-width="2.5"/>',
  `<g transform="translate(0 3)">${facet(fivePoints, '#92400e', 0.55)}</g>`,
  facet(fivePoints, '#fffbeb'),
  `<path d="M-40 -32A51 51 0 0 1 6 -50" ${glint}/>`,
].join('');

/** A member's card over a second one. */
export const pass: Treasure = [
  '<ellipse cy="62" rx="56" ry="8" fill="#000000" fill-opacity=".28"/>',
  '<rect x="-58" y="-42" width="116" height="82" rx="12" fill="#312e81" transform="rotate(-13)"/>',
  '<rect x="-62" y="-42" width="124" height="86" rx="13" fill="url(#pass)"/>',
  '<path d="M-62 -4L-14 -42H30L-62 26Z" fill="#ffffff" fill-opacity=".22"/>',
  `<path d="${sparkle({ x: 22, y: -6 }, 27)}" fill="#ffffff"/>`,
  '<rect x="-48" y="18" width="44" height="7" rx="3.5" fill="#ffffff" fill-opacity=".85"/>',
  '<rect x="-48" y="30" width="28" height="6" rx="3" fill="#ffffff" fill-opacity=".6"/>',
].join('');
