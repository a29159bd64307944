import { Avatar, Style } from '@dicebear/core';
import loops from '@dicebear/styles/loops.json' with { type: 'json' };
import stripes from '@dicebear/styles/stripes.json' with { type: 'json' };
import triangles from '@dicebear/styles/triangles.json' with { type: 'json' };
import waves from '@dicebear/styles/waves.json' with { type: 'json' };
import type { IconNode } from 'lucide';
import { escapeXml } from './text.ts';

/** The colours of one picture. White text is readable (4.5:1) on `deep`, `from`, `to` and everything between. */
export interface Palette {
  /** Darkest: plates behind text. */
  deep: string;
  /** The gradient of the background. */
  from: string;
  to: string;
  /** Lightest: rims, highlights. */
  glow: string;
}

export const palettes: readonly [Palette, ...Palette[]] = [
  { deep: '#17134a', from: '#4338ca', to: '#7e22ce', glow: '#c4b5fd' },
  { deep: '#270a4d', from: '#6d28d9', to: '#be185d', glow: '#f0abfc' },
  { deep: '#3b0738', from: '#a21caf', to: '#5b21b6', glow: '#f5d0fe' },
  { deep: '#42061d', from: '#be123c', to: '#7e1d6b', glow: '#fda4af' },
  { deep: '#3a0a0a', from: '#b91c1c', to: '#9a3412', glow: '#fdba74' },
  { deep: '#3b1206', from: '#b53d0a', to: '#9f1239', glow: '#fcd34d' },
  { deep: '#331605', from: '#92400e', to: '#a8330c', glow: '#fde68a' },
  { deep: '#16260a', from: '#4d7c0f', to: '#166534', glow: '#d9f99d' },
  { deep: '#04261a', from: '#15803d', to: '#0f766e', glow: '#bbf7d0' },
  { deep: '#02261f', from: '#047857', to: '#155e75', glow: '#a7f3d0' },
  { deep: '#06272b', from: '#0f766e', to: '#1e40af', glow: '#99f6e4' },
  { deep: '#07293a', from: '#0e7490', to: '#4338ca', glow: '#a5f3fc' },
  { deep: '#082544', from: '#0369a1', to: '#1d4ed8', glow: '#bae6fd' },
  { deep: '#101c4a', from: '#1d4ed8', to: '#6d28d9', glow: '#93c5fd' },
  { deep: '#0d1526', from: '#334155', to: '#1e3a5f', glow: '#fcd34d' },
  { deep: '#20102f', from: '#4c1d95', to: '#9d3412', glow: '#fed7aa' },
  { deep: '#0d1b3d', from: '#1e3a8a', to: '#0f766e', glow: '#fde68a' },
  { deep: '#2d0b2b', from: '#831843', to: '#3730a3', glow: '#fbcfe8' },
];

/** A 32-bit hash of a text (FNV-1a). */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Chooses one of several items; the same text always gets the same item. */
export const pick = <Item>(items: readonly [Item, ...Item[]], text: string): Item =>
  items[hashText(text) % items.length] ?? items[0];

/** Chooses the colours of a text; the same text always gets the same ones. */
export const paletteOf = (text: string): Palette => pick(palettes, text);

/** A part of a picture, in pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

const position = ({ x, y, width, height }: Area): string =>
  `x="${x}" y="${y}" width="${width}" height="${height}"`;

const patternStyles: readonly [Style, ...Style[]] = [
  new Style<unknown>(loops),
  new Style<unknown>(stripes),
  new Style<unknown>(triangles),
  new Style<unknown>(waves),
];

/** Fills an area with a white pattern by DiceBear; the same seed gives the same pattern. */
function drawPattern(seed: string, area: Area): string {
  const style = pick(patternStyles, `${seed} pattern`);
  const svg = new Avatar(style, { seed, idRandomization: false, backgroundColor: '#00000000' }).toString();
  const [, attributes = '', body = ''] = /<svg[^>]*( viewBox="[^"]*")[^>]*>(.*)<\/svg>/s.exec(svg) ?? [];
  // The licence of the patterns (CC0) requires no notice.
  const drawing = body.replace(/<!--.*?-->|<metadata.*?<\/metadata>/gs, '');
  return `<svg ${position(area)}${attributes} fill="none" preserveAspectRatio="xMidYMid slice">${drawing}</svg>`;
}

/** Draws an icon by Lucide in an area, with the given attributes for its lines and areas. */
export function drawIcon(icon: IconNode, area: Area, attributes: string): string {
  const shapes = icon.map(
    ([tag, given]) =>
      `<${tag} ${Object.entries(given)
        .map(([name, value]) => `${name}="${value}"`)
        .join(' ')}/>`,
  );
  const join = 'stroke-linecap="round" stroke-linejoin="round"';
  return `<svg ${position(area)} viewBox="0 0 24 24" overflow="visible" ${join} ${attributes}>${shapes.join('')}</svg>`;
}

/** A colour of a gradient: its place (0 to 1), the colour, and its opacity. */
type Stop = [offset: number, colour: string, opacity?: number];

const stopElements = (stops: readonly Stop[]): string =>
  stops
    .map(
      ([at, colour, opacity = 1]) =>
        `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
    )
    .join('');

const directions = {
  down: 'x1="0" y1="0" x2="0" y2="1"',
  across: 'x1="0" y1="0" x2="1" y2="0"',
  diagonal: 'x1="0" y1="0" x2="1" y2="1"',
};

/** A linear gradient with an id, for `fill="url(#sky)"`. */
export const linearGradient = (id: string, direction: keyof typeof directions, ...stops: Stop[]): string =>
  `<linearGradient id="${id}" ${directions[direction]}>${stopElements(stops)}</linearGradient>`;

/** A light in a picture; point and radius are fractions of the picture's size. */
interface Light {
  x: number;
  y: number;
  radius: number;
  opacity: number;
}

interface SvgDocument {
  width: number;
  height: number;
  title: string;
  gradients: readonly string[];
  shapes: readonly string[];
}

/** A complete SVG picture with a title for screen readers. */
export function svgDocument({ width, height, title, gradients, shapes }: SvgDocument): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const content = `<title>${escapeXml(title)}</title><defs>${gradients.join('')}</defs>${shapes.join('')}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">${content}</svg>`;
}

/** Fills a whole picture with a gradient. */
export const cover = ({ width, height }: Pick<Area, 'width' | 'height'>, gradient: string): string =>
  `<rect width="${width}" height="${height}" fill="url(#${gradient})"/>`;

interface Scene extends SvgDocument {
  palette: Palette;
  /** Decides on the pattern of the background. */
  seed: string;
  patternOpacity: string;
  light: Light;
}

/** A picture with a coloured background, a pattern and a light, and the given shapes before them. */
export function drawScene({ palette, seed, patternOpacity, light, ...picture }: Scene): string {
  const { from, to, glow } = palette;
  const { x, y, radius, opacity } = light;
  const lightStops = stopElements([
    [0, glow, opacity],
    [1, glow, 0],
  ]);
  return svgDocument({
    ...picture,
    gradients: [
      linearGradient('ground', 'diagonal', [0, from], [1, to]),
      `<radialGradient id="light" cx="${x}" cy="${y}" r="${radius}">${lightStops}</radialGradient>`,
      ...picture.gradients,
    ],
    shapes: [
      cover(picture, 'ground'),
      `<g opacity="${patternOpacity}">${drawPattern(seed, { ...picture, x: 0, y: 0 })}</g>`,
      cover(picture, 'light'),
      ...picture.shapes,
    ],
  });
}
