import { Avatar, Style } from '@dicebear/core';
import loops from '@dicebear/styles/loops.json' with { type: 'json' };
import stripes from '@dicebear/styles/stripes.json' with { type: 'json' };
import triangles from '@dicebear/styles/triangles.json' with { type: 'json' };
import waves from '@dicebear/styles/waves.json' with { type: 'json' };
import { cover, diagonal, element, type Frame, gradient, svgDocument } from './svg.ts';

/** The colours of one picture. White text is readable (4.5:1) on `deep`, `from`, `to` and everything between. */
export interface Palette {
  /** The darkest colour, for plates behind text. */
  deep: string;
  /** Colours of the background's gradient. */
  from: string;
  to: string;
  /** The lightest colour, for rims and highlights. */
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

/** Computes a 32-bit hash of a string (FNV-1a). */
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

/** Chooses colours for a string; the same string always gets the same colours. */
export const paletteOf = (text: string): Palette => pick(palettes, text);

const patternStyles: readonly [Style, ...Style[]] = [
  new Style<unknown>(loops),
  new Style<unknown>(stripes),
  new Style<unknown>(triangles),
  new Style<unknown>(waves),
];

/** Fills a picture with a white pattern by DiceBear; the same seed gives the same pattern. */
function drawPattern(seed: string): string {
  const style = pick(patternStyles, `${seed} pattern`);
  const svg = new Avatar(style, { seed, idRandomization: false, backgroundColor: '#00000000' }).toString();
  const [, viewBox = '', body = ''] = /<svg[^>]* viewBox="([^"]*)"[^>]*>(.*)<\/svg>/s.exec(svg) ?? [];
  // The licence of the patterns (CC0) requires no notice.
  const drawing = body.replace(/<!--.*?-->|<metadata.*?<\/metadata>/gs, '');
  const fill = { width: '100%', height: '100%', preserveAspectRatio: 'xMidYMid slice' };
  return element('svg', { viewBox, fill: 'none', ...fill }, drawing);
}

export interface Scene extends Frame {
  palette: Palette;
  /** Determines the pattern of the background. */
  seed: string;
  patternOpacity: number;
  light: { cx: number; cy: number; r: number; opacity: number };
  /** Shapes in front of the background, and their gradients. */
  shapes: string[];
}

/** Draws a coloured background with a pattern and a light, and shapes in front of them. */
export function drawScene({ palette, seed, patternOpacity, light, shapes, ...frame }: Scene): string {
  const { opacity, ...circle } = light;
  return svgDocument(frame, [
    gradient('ground', diagonal, [0, palette.from], [1, palette.to]),
    gradient('light', circle, [0, palette.glow, opacity], [1, palette.glow, 0]),
    cover('ground'),
    element('g', { opacity: patternOpacity }, drawPattern(seed)),
    cover('light'),
    ...shapes,
  ]);
}
