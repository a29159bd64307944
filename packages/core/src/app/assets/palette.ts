import { hashText, pick } from './chance.ts';

/** The colours of one picture. White text can be read (4.5:1) on `deep`, `from`, `to` and all between. */
export interface Palette {
  /** Darkest: plates behind text. */
  deep: string;
  /** The gradient of the background. */
  from: string;
  to: string;
  /** Lightest: rims, highlights, ornaments. */
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

/**
 * The colours that belong to a text, always the same ones.
 *
 * @example
 * const { from, to } = paletteOf('mobile-legends');
 */
export const paletteOf = (text: string): Palette => pick(palettes, hashText(text) / 2 ** 32);
