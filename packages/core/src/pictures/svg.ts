import type { IconNode } from 'lucide';
import { escapeXml, fitText, type TextRoom } from './text.ts';

/** Position and size of an icon, in pixels. */
export type Square = [x: number, y: number, side: number];

/** Writes an SVG element. Only its texts need {@link escapeXml}, because attributes never contain text from a catalogue. */
export function element(name: string, attributes: object, ...content: string[]): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${name}${pairs.join('')}>${content.join('')}</${name}>`;
}

/** Draws a Lucide icon with these attributes. */
export function drawIcon(icon: IconNode, [x, y, side]: Square, attributes: object): string {
  const frame = { x, y, width: side, height: side, viewBox: '0 0 24 24', overflow: 'visible' };
  const joins = { 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
  const shapes = icon.map(([tag, shape]) => element(tag, shape));
  return element('svg', { ...frame, ...joins, ...attributes }, ...shapes);
}

/** A stop of a gradient: its position (0 to 1), colour and opacity. */
type Stop = [offset: number, colour: string, opacity?: number];

/** The direction of a linear gradient from the upper left corner. */
export const down = { x2: 0, y2: 1 };
export const across = { x2: 1, y2: 0 };
export const diagonal = { x2: 1, y2: 1 };

/** Writes a gradient for `fill="url(#id)"`. With a radius, it is round. Its shape is in fractions of the filled area. */
export function gradient(id: string, shape: object, ...stops: Stop[]): string {
  const elements = stops.map(([offset, colour, opacity = 1]) =>
    element('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity }),
  );
  return element('r' in shape ? 'radialGradient' : 'linearGradient', { id, ...shape }, ...elements);
}

/** The size and title of a picture. */
export interface Frame {
  width: number;
  height: number;
  /** Title for screen readers. */
  title: string;
}

/** Writes a complete SVG picture. Gradients may be anywhere in its content. */
export const svgDocument = ({ width, height, title }: Frame, content: string[]): string =>
  element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' },
    element('title', {}, escapeXml(title)),
    ...content,
  );

export const cover = (gradientId: string): string =>
  element('rect', { width: '100%', height: '100%', fill: `url(#${gradientId})` });

/** Rounds to a tenth of a pixel. */
const short = (value: number): number => Math.round(value * 10) / 10;

const lineHeight = 1.2;

/** Returns the height of lines of text, from the top of the capitals to the last baseline. */
export const textHeight = (lines: number, size: number): number => size * (0.72 + (lines - 1) * lineHeight);

/** Draws lines of text below each other, starting at the first baseline. Escapes the text. */
export function drawLines(lines: string[], [x, y, size]: Square, attributes: object): string {
  const spans = lines.map((line, index) =>
    element('tspan', { x: short(x), y: short(y + index * size * lineHeight) }, escapeXml(line)),
  );
  const font = { 'font-family': 'system-ui, sans-serif', 'font-size': size };
  return element('text', { ...font, ...attributes }, ...spans);
}

/** Draws white text on up to two lines, vertically centred in an area. */
export function drawLabel(
  text: string,
  { x, y, height, ...room }: { x: number; y: number; height: number } & Omit<TextRoom, 'maxLines'>,
  attributes = {},
): string {
  const { size, lines } = fitText(text, { ...room, maxLines: 2 });
  const firstLine = y + (height - textHeight(lines.length, size)) / 2 + textHeight(1, size);
  return drawLines(lines, [x, firstLine, size], { fill: '#ffffff', 'font-weight': 700, ...attributes });
}
