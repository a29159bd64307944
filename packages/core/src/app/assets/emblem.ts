import { hashText, pick } from './chance.ts';
import { textWidth } from './fit-text.ts';
import type { Palette } from './palette.ts';
import { around, closedPath, linearGradient, type Point, sparkle, textLines } from './svg.ts';

/** The outline of an emblem of a radius, around the point 0 0. */
type Outline = (radius: number) => string;

const polygon =
  (corners: number, turn: number): Outline =>
  (radius) =>
    closedPath(
      Array.from({ length: corners }, (_, index) => around({ x: 0, y: 0 }, radius, turn + index / corners)),
    );

const circle: Outline = (radius) => {
  const half = `a${radius} ${radius} 0 1 1 0`;
  return `M0 ${-radius}${half} ${radius * 2}${half} ${radius * -2}Z`;
};

const shield: Outline = (radius) => {
  const [x, top, side, tip] = [radius * 0.86, radius * -0.86, radius * 0.24, radius * 1.06];
  const [bendX, bendY] = [x * 0.86, radius * 0.74];
  const round = `Q${bendX} ${bendY} 0 ${tip}Q${-bendX} ${bendY} ${-x} ${side}`;
  return `M${-x} ${top}L0 ${top * 1.16}L${x} ${top}V${side}${round}Z`;
};

/** Between a square and a circle. */
const cushion: Outline = (radius) => {
  const edge = radius * 0.95;
  const pull = edge * 0.9;
  const right = `C${pull} ${-edge} ${edge} ${-pull} ${edge} 0S${pull} ${edge} 0 ${edge}`;
  return `M0 ${-edge}${right}S${-edge} ${pull} ${-edge} 0S${-pull} ${-edge} 0 ${-edge}Z`;
};

const outlines: readonly [Outline, ...Outline[]] = [
  polygon(6, 0),
  polygon(6, 1 / 12),
  polygon(8, 1 / 16),
  circle,
  shield,
  cushion,
];

/** Gradients that {@link drawEmblem} refers to. */
export const emblemGradients = ({ deep, from, glow }: Palette): string =>
  linearGradient('plate', 'down', [0, from], [0.25, deep], [1, deep]) +
  linearGradient('rim', 'diagonal', [0, '#ffffff'], [0.45, glow], [1, from]);

function drawInitials(initials: string, radius: number, glow: string): string {
  if (initials === '') return `<path d="${sparkle({ x: 0, y: 0 }, radius * 0.62)}" fill="${glow}"/>`;
  const size = Math.round(Math.min(radius * 0.96, (radius * 1.3) / textWidth(initials)));
  const style = { x: 0, y: size * 0.36, size, fill: '#ffffff', weight: 800 };
  return textLines([initials], { ...style, anchor: 'middle' });
}

/** Where an emblem is, how large, the letters on it, and the text that decides its outline. */
export interface Emblem {
  centre: Point;
  radius: number;
  initials: string;
  slug: string;
}

/**
 * A badge with letters, its outline chosen by the slug; the document must hold {@link emblemGradients}.
 *
 * @example
 * drawEmblem({ centre: { x: 256, y: 230 }, radius: 150, initials: 'FF', slug: 'free-fire' }, palette);
 */
export function drawEmblem({ centre, radius, initials, slug }: Emblem, { glow }: Palette): string {
  const outline = pick(outlines, hashText(`${slug} emblem`) / 2 ** 32);
  const whole = `d="${outline(radius)}" stroke-width="${radius * 0.1}"`;
  const drop = `transform="translate(0 ${radius * 0.09})"`;
  return [
    `<g transform="translate(${centre.x} ${centre.y})" stroke-linejoin="round">`,
    `<path ${whole} ${drop} fill="#000000" stroke="#000000" opacity=".3"/>`,
    `<path ${whole} fill="url(#plate)" stroke="url(#rim)"/>`,
    `<path d="${outline(radius * 0.86)}" fill="none" stroke="${glow}" stroke-width="2" opacity=".45"/>`,
    drawInitials(initials, radius, glow),
    '</g>',
  ].join('');
}
