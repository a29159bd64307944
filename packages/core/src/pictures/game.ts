import { Circle, Hexagon, Octagon, Shield, Sparkle, Squircle } from 'lucide';
import {
  type Area,
  cover,
  drawIcon,
  drawScene,
  linearGradient,
  type Palette,
  paletteOf,
  pick,
} from './drawing.ts';
import { drawLabel, fitText, initialsOf, oneLine, textHeight, textLines, textWidth } from './text.ts';

/** The fields of a game that its pictures show. */
export interface DrawnGame {
  slug: string;
  title: string;
  brand: string;
}

const nameOf = ({ slug, title }: DrawnGame): string => oneLine(title) || slug;

const emblemGradients = ({ deep, from, glow }: Palette): string[] => [
  linearGradient('plate', 'down', [0, from], [0.25, deep], [1, deep]),
  linearGradient('rim', 'diagonal', [0, '#ffffff'], [0.45, glow], [1, from]),
];

function drawInitials(initials: string, { x, y, width }: Area, glow: string): string {
  const middle = { x: x + width / 2, y: y + width / 2 };
  if (initials === '') {
    const size = width / 2;
    const area = { x: middle.x - size / 2, y: middle.y - size / 2, width: size, height: size };
    return drawIcon(Sparkle, area, `fill="${glow}"`);
  }
  const size = Math.round(Math.min(width * 0.42, (width * 0.56) / textWidth(initials)));
  const style = { x: middle.x, y: middle.y + size * 0.36, size, fill: '#ffffff', weight: 800 };
  return textLines([initials], { ...style, anchor: 'middle' });
}

/** A badge with the game's initials; the slug decides on its outline. */
function drawEmblem(game: DrawnGame, area: Area, { glow }: Palette): string {
  const outline = pick([Hexagon, Octagon, Circle, Shield, Squircle], `${game.slug} emblem`);
  const shadow = { ...area, y: area.y + area.height * 0.04 };
  return [
    drawIcon(outline, shadow, 'fill="#000000" stroke="#000000" stroke-width="1.4" opacity=".3"'),
    drawIcon(outline, area, 'fill="url(#plate)" stroke="url(#rim)" stroke-width="1.2"'),
    drawInitials(initialsOf(nameOf(game)), area, glow),
  ].join('');
}

/**
 * Draws a picture for a game that has none in the catalogue: a badge with the initials of its title, and its brand.
 * The same game always gets the same picture.
 *
 * @example
 * drawGameImage({ slug: 'free-fire', title: 'Free Fire', brand: 'Free Fire' }); // <svg ...>
 */
export function drawGameImage(game: DrawnGame): string {
  const size = { width: 512, height: 512 };
  const palette = paletteOf(game.slug);
  const { deep } = palette;
  return drawScene({
    ...size,
    title: nameOf(game),
    palette,
    seed: game.slug,
    patternOpacity: '.2',
    light: { x: 0.5, y: 0.4, radius: 0.6, opacity: 0.6 },
    gradients: [
      linearGradient('shade', 'down', [0.45, deep, 0], [0.72, deep, 0.92], [1, deep, 1]),
      ...emblemGradients(palette),
    ],
    shapes: [
      cover(size, 'shade'),
      drawEmblem(game, { x: 108, y: 30, width: 296, height: 296 }, palette),
      drawLabel(oneLine(game.brand), {
        x: 256,
        y: 348,
        width: 472,
        height: 144,
        // A phone shows three games in a row, so that 46 of these units are 10 pixels.
        sizes: [64, 58, 52, 46],
        anchor: 'middle',
      }),
    ],
  });
}

/** The title with a bar above it, and the brand below it unless the title contains the brand. */
function drawTitle(title: string, brand: string, height: number, { glow }: Palette): string {
  const left = 80;
  const showsBrand = !title.toLowerCase().includes(brand.toLowerCase());
  const { size, lines } = fitText(title, { width: 680, maxLines: 2, sizes: [84, 72, 62, 54, 46] });
  const sub = fitText(brand, { width: 680, maxLines: 1, sizes: [48, 42] });
  const block = 34 + textHeight(lines.length, size) + (showsBrand ? 68 : 0);
  const top = (height - block) / 2;
  const first = top + 34 + textHeight(1, size);
  const last = top + 34 + textHeight(lines.length, size);
  return [
    `<rect x="${left}" y="${top}" width="72" height="8" rx="4" fill="${glow}"/>`,
    textLines(lines, { x: left, y: first, size, fill: '#ffffff', weight: 800, spacing: -0.5 }),
    showsBrand
      ? textLines(sub.lines, { x: left, y: last + 68, size: sub.size, fill: glow, weight: 600 })
      : '',
  ].join('');
}

/**
 * Draws a banner for a game that has none in the catalogue: its title beside a badge with its initials.
 *
 * @example
 * drawGameBanner({ slug: 'free-fire', title: 'Free Fire', brand: 'Garena' }); // <svg ...>
 */
export function drawGameBanner(game: DrawnGame): string {
  const size = { width: 1200, height: 400 };
  const palette = paletteOf(game.slug);
  const { deep } = palette;
  return drawScene({
    ...size,
    title: nameOf(game),
    palette,
    seed: game.slug,
    patternOpacity: '.2',
    light: { x: 0.8, y: 0.5, radius: 0.42, opacity: 0.55 },
    gradients: [
      // The title ends at 0.64. Up to there, the shade must be dark enough for white letters.
      linearGradient(
        'shade',
        'across',
        [0, deep, 0.94],
        [0.64, deep, 0.72],
        [0.76, deep, 0.26],
        [0.88, deep, 0],
      ),
      ...emblemGradients(palette),
    ],
    shapes: [
      cover(size, 'shade'),
      drawEmblem(game, { x: 820, y: 54, width: 292, height: 292 }, palette),
      drawTitle(nameOf(game), oneLine(game.brand), size.height, palette),
    ],
  });
}
