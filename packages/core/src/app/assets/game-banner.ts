import { chanceOf } from './chance.ts';
import { drawEmblem, emblemGradients } from './emblem.ts';
import { oneLine } from './escape-xml.ts';
import { fitText } from './fit-text.ts';
import type { DrawnGame } from './game-image.ts';
import { initialsOf } from './initials.ts';
import { drawMotif } from './motifs.ts';
import { type Palette, paletteOf } from './palette.ts';
import { linearGradient, radialGradient, svgDocument, textHeight, textLines } from './svg.ts';

const width = 1200;
const height = 400;
const left = 80;
const badge = { x: 966, y: height / 2 };

const gradients = (palette: Palette): string => {
  const { deep, from, to, glow } = palette;
  return [
    linearGradient('ground', 'diagonal', [0, from], [1, to]),
    radialGradient('light', { x: 0.8, y: 0.5, radius: 0.42 }, [0, glow, 0.55], [1, glow, 0]),
    // The title ends at 0.64: up to there the shade must leave nothing bright behind white letters.
    linearGradient(
      'shade',
      'across',
      [0, deep, 0.94],
      [0.64, deep, 0.72],
      [0.76, deep, 0.26],
      [0.88, deep, 0],
    ),
    emblemGradients(palette),
  ].join('');
};

/** The title, with a bar above it and the brand under it where that says something else. */
function drawTitle(title: string, brand: string, { glow }: Palette): string {
  const { size, lines } = fitText(title, { width: 680, maxLines: 2, sizes: [84, 72, 62, 54, 46] });
  const sub = fitText(brand === title ? '' : brand, { width: 680, maxLines: 1, sizes: [30, 26] });
  const block = 34 + textHeight(lines.length, size) + (brand === title ? 0 : 56);
  const top = (height - block) / 2;
  const first = top + 34 + textHeight(1, size);
  const last = top + 34 + textHeight(lines.length, size);
  return [
    `<rect x="${left}" y="${top}" width="72" height="8" rx="4" fill="${glow}"/>`,
    textLines(lines, { x: left, y: first, size, fill: '#ffffff', weight: 800, spacing: -0.5 }),
    textLines(sub.lines, { x: left, y: last + 56, size: sub.size, fill: glow, weight: 600 }),
  ].join('');
}

/**
 * A game's banner, for a catalogue that has none: its title beside a badge with the initials.
 *
 * @example
 * drawGameBanner({ slug: 'free-fire', title: 'Free Fire', brand: 'Garena' }); // <svg ...>
 */
export function drawGameBanner({ slug, title, brand }: DrawnGame): string {
  const palette = paletteOf(slug);
  const chance = chanceOf(slug);
  const name = oneLine(title) || slug;
  const cover = (fill: string) => `<rect width="${width}" height="${height}" fill="url(#${fill})"/>`;
  const body = [
    `<defs>${gradients(palette)}</defs>`,
    cover('ground'),
    drawMotif({ width, height, centre: badge }, chance, palette.glow),
    cover('light'),
    cover('shade'),
    drawEmblem({ centre: badge, radius: 122, initials: initialsOf(name), slug }, palette),
    drawTitle(name, oneLine(brand), palette),
  ].join('');
  return svgDocument({ width, height, title: name, body });
}
