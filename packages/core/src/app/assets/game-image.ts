import { chanceOf } from './chance.ts';
import { drawEmblem, emblemGradients } from './emblem.ts';
import { oneLine } from './escape-xml.ts';
import { fitText } from './fit-text.ts';
import { initialsOf } from './initials.ts';
import { drawMotif } from './motifs.ts';
import { type Palette, paletteOf } from './palette.ts';
import { linearGradient, radialGradient, svgDocument, textLines } from './svg.ts';

const side = 512;
const middle = { x: side / 2, y: 222 };

/** What a game's pictures are drawn from. */
export interface DrawnGame {
  slug: string;
  title: string;
  brand: string;
}

const gradients = (palette: Palette): string => {
  const { deep, from, to, glow } = palette;
  return [
    linearGradient('ground', 'diagonal', [0, from], [1, to]),
    radialGradient('light', { x: 0.5, y: 0.4, radius: 0.6 }, [0, glow, 0.6], [1, glow, 0]),
    linearGradient('shade', 'down', [0.5, deep, 0], [0.82, deep, 0.92], [1, deep, 1]),
    emblemGradients(palette),
  ].join('');
};

function drawBrand(brand: string): string {
  const { size, lines } = fitText(brand, { width: 440, maxLines: 1, sizes: [40, 36, 32, 28, 24] });
  return textLines(lines, { x: middle.x, y: 466, size, fill: '#ffffff', weight: 700, anchor: 'middle' });
}

/**
 * A game's picture, for a catalogue that has none: a badge with the initials of its title, and its brand.
 * The same game always looks the same.
 *
 * @example
 * drawGameImage({ slug: 'free-fire', title: 'Free Fire', brand: 'Free Fire' }); // <svg ...>
 */
export function drawGameImage({ slug, title, brand }: DrawnGame): string {
  const palette = paletteOf(slug);
  const chance = chanceOf(slug);
  const name = oneLine(title) || slug;
  const cover = (fill: string) => `<rect width="${side}" height="${side}" fill="url(#${fill})"/>`;
  const body = [
    `<defs>${gradients(palette)}</defs>`,
    cover('ground'),
    drawMotif({ width: side, height: side, centre: middle }, chance, palette.glow),
    cover('light'),
    cover('shade'),
    drawEmblem({ centre: middle, radius: 146, initials: initialsOf(name), slug }, palette),
    drawBrand(oneLine(brand)),
  ].join('');
  return svgDocument({ width: side, height: side, title: name, body });
}
