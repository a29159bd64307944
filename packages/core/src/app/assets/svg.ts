import { escapeXml } from './escape-xml.ts';

/**
 * A number as a picture needs it: one decimal is a tenth of a pixel.
 *
 * @example
 * `<circle r="${short(10 / 3)}"/>`; // <circle r="3.3"/>
 */
export const short = (value: number): string => String(Math.round(value * 10) / 10);

export interface Point {
  x: number;
  y: number;
}

/**
 * The point at a distance and an angle (in turns, clockwise from the top) from a centre.
 *
 * @example
 * around({ x: 0, y: 0 }, 10, 0.25); // { x: 10, y: 0 }
 */
export const around = ({ x, y }: Point, distance: number, turns: number): Point => ({
  x: x + distance * Math.sin(turns * 2 * Math.PI),
  y: y - distance * Math.cos(turns * 2 * Math.PI),
});

/**
 * The `d` of a closed path through some points.
 *
 * @example
 * `<path d="${closedPath([{ x: 0, y: 0 }, { x: 9, y: 0 }, { x: 0, y: 9 }])}"/>`; // M0 0L9 0L0 9Z
 */
export const closedPath = (points: readonly Point[]): string =>
  `M${points.map(({ x, y }) => `${short(x)} ${short(y)}`).join('L')}Z`;

/**
 * The `d` of a star with four long rays, which also serves as a sparkle.
 *
 * @example
 * `<path d="${sparkle({ x: 128, y: 128 }, 40)}"/>`;
 */
export const sparkle = (centre: Point, radius: number): string =>
  closedPath(
    Array.from({ length: 8 }, (_, index) => around(centre, index % 2 ? radius * 0.24 : radius, index / 8)),
  );

/** A colour of a gradient: where (0 to 1), which one, and how opaque. */
export type Stop = [offset: number, colour: string, opacity?: number];

const stopElement = ([at, colour, opacity = 1]: Stop): string =>
  `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`;

const stopElements = (stops: readonly Stop[]): string => stops.map(stopElement).join('');

const directions = {
  down: 'x1="0" y1="0" x2="0" y2="1"',
  across: 'x1="0" y1="0" x2="1" y2="0"',
  diagonal: 'x1="0" y1="0" x2="1" y2="1"',
};

/**
 * A gradient along what it fills, named for `fill="url(#sky)"`.
 *
 * @example
 * linearGradient('sky', 'down', [0, '#ffffff'], [1, '#0369a1']);
 */
export const linearGradient = (id: string, direction: keyof typeof directions, ...stops: Stop[]): string =>
  `<linearGradient id="${id}" ${directions[direction]}>${stopElements(stops)}</linearGradient>`;

/**
 * A gradient from a point outwards; point and radius are shares of what it fills.
 *
 * @example
 * radialGradient('light', { x: 0.5, y: 0.2, radius: 0.7 }, [0, '#ffffff', 0.5], [1, '#ffffff', 0]);
 */
export const radialGradient = (id: string, { x, y, radius }: Point & { radius: number }, ...stops: Stop[]) =>
  `<radialGradient id="${id}" cx="${x}" cy="${y}" r="${radius}">${stopElements(stops)}</radialGradient>`;

/** How lines of text stand: the place of the first baseline, and the look. */
export interface TextStyle {
  x: number;
  y: number;
  size: number;
  fill: string;
  weight: number;
  anchor?: 'start' | 'middle';
  spacing?: number;
}

const fonts = 'system-ui, sans-serif';
const lineHeight = 1.2;

/**
 * Lines of text, escaped, one under the other.
 *
 * @example
 * textLines(['Free', 'Fire'], { x: 72, y: 180, size: 64, fill: '#fff', weight: 800 });
 */
export const textLines = (
  lines: readonly string[],
  { x, y, size, fill, weight, anchor = 'start', spacing = 0 }: TextStyle,
): string => {
  const place = `text-anchor="${anchor}" font-family="${fonts}" font-size="${size}" font-weight="${weight}"`;
  const spans = lines.map((line, index) => {
    const top = short(y + index * size * lineHeight);
    return `<tspan x="${short(x)}" y="${top}">${escapeXml(line)}</tspan>`;
  });
  return `<text ${place} letter-spacing="${spacing}" fill="${fill}">${spans.join('')}</text>`;
};

/**
 * The height of lines of text, from the top of the capitals to the last baseline.
 *
 * @example
 * const top = (400 - textHeight(2, 64)) / 2;
 */
export const textHeight = (lines: number, size: number): number => size * (0.72 + (lines - 1) * lineHeight);

interface SvgDocument {
  width: number;
  height: number;
  title: string;
  body: string;
}

/**
 * A whole picture, with its title for those who can't see it.
 *
 * @example
 * svgDocument({ width: 512, height: 512, title: 'Free Fire', body: '<rect width="512" height="512"/>' });
 */
export function svgDocument({ width, height, title, body }: SvgDocument): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const content = `<title>${escapeXml(title)}</title>${body}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">${content}</svg>`;
}
