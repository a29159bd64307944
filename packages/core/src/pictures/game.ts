import { Circle, Hexagon, Octagon, Shield, Sparkle, Squircle } from 'lucide';
import { cover, drawScene, paletteOf, pick, type Scene } from './scene.ts';
import {
  across,
  diagonal,
  down,
  drawIcon,
  drawLabel,
  element,
  gradient,
  type Square,
  textHeight,
  textLines,
} from './svg.ts';
import { fitText, initialsOf, oneLine, textWidth } from './text.ts';

/** The fields of a game that its pictures show. */
export interface DrawnGame {
  slug: string;
  title: string;
  brand: string;
}

const nameOf = ({ slug, title }: DrawnGame): string => oneLine(title) || slug;

function drawInitials(initials: string, [x, y, side]: Square, glow: string): string {
  if (initials === '') return drawIcon(Sparkle, [x + side / 4, y + side / 4, side / 2], { fill: glow });
  const size = Math.round(Math.min(side * 0.42, (side * 0.56) / textWidth(initials)));
  const place = { x: x + side / 2, y: y + side / 2 + size * 0.36, anchor: 'middle' } as const;
  return textLines([initials], { ...place, size, fill: '#ffffff', weight: 800 });
}

/** A badge with the game's initials; the slug decides on its outline. */
function drawEmblem(game: DrawnGame, [x, y, side]: Square, glow: string): string {
  const outline = pick([Hexagon, Octagon, Circle, Shield, Squircle], `${game.slug} emblem`);
  const shadow = { fill: '#000000', stroke: '#000000', 'stroke-width': 1.4, opacity: 0.3 };
  const plate = { fill: 'url(#plate)', stroke: 'url(#rim)', 'stroke-width': 1.2 };
  return [
    drawIcon(outline, [x, y + side * 0.04, side], shadow),
    drawIcon(outline, [x, y, side], plate),
    drawInitials(initialsOf(nameOf(game)), [x, y, side], glow),
  ].join('');
}

interface GamePicture extends Pick<Scene, 'width' | 'height' | 'light'> {
  emblem: Square;
  /** The gradient between the background and what is before it. */
  shade: string;
  /** What stands beside or below the emblem. */
  text: string;
}

function drawGame(game: DrawnGame, { emblem, shade, text, ...picture }: GamePicture): string {
  const palette = paletteOf(game.slug);
  const { deep, from, glow } = palette;
  return drawScene(palette, {
    ...picture,
    title: nameOf(game),
    seed: game.slug,
    patternOpacity: 0.2,
    gradients: [
      shade,
      gradient('plate', down, [0, from], [0.25, deep], [1, deep]),
      gradient('rim', diagonal, [0, '#ffffff'], [0.45, glow], [1, from]),
    ],
    shapes: [cover(picture, 'shade'), drawEmblem(game, emblem, glow), text],
  });
}

/**
 * Draws a picture for a game that has none in the catalogue: a badge with the initials of its title, and its brand.
 * The same game always gets the same picture.
 *
 * @example
 * drawGameImage({ slug: 'free-fire', title: 'Free Fire', brand: 'Free Fire' }); // <svg ...>
 */
export function drawGameImage(game: DrawnGame): string {
  const { deep } = paletteOf(game.slug);
  // A phone shows three games in a row, so that 46 of these units are 10 pixels.
  const label = { x: 256, y: 348, width: 472, height: 144, sizes: [64, 58, 52, 46] };
  return drawGame(game, {
    width: 512,
    height: 512,
    light: { cx: 0.5, cy: 0.4, r: 0.6, opacity: 0.6 },
    emblem: [108, 30, 296],
    shade: gradient('shade', down, [0.45, deep, 0], [0.72, deep, 0.92], [1, deep, 1]),
    text: drawLabel(oneLine(game.brand), { ...label, anchor: 'middle' }),
  });
}

/** The title with a bar above it, and the brand below it unless the title contains the brand. */
function drawTitle(title: string, brand: string, height: number, glow: string): string {
  const x = 80;
  const showsBrand = !title.toLowerCase().includes(brand.toLowerCase());
  const { size, lines } = fitText(title, { width: 680, maxLines: 2, sizes: [84, 72, 62, 54, 46] });
  const sub = fitText(brand, { width: 680, maxLines: 1, sizes: [48, 42] });
  const block = 34 + textHeight(lines.length, size);
  const top = (height - block - (showsBrand ? 68 : 0)) / 2;
  const first = top + 34 + textHeight(1, size);
  const texts = [textLines(lines, { x, y: first, size, fill: '#ffffff', weight: 800, spacing: -0.5 })];
  if (showsBrand)
    texts.push(textLines(sub.lines, { x, y: top + block + 68, size: sub.size, fill: glow, weight: 600 }));
  return element('rect', { x, y: top, width: 72, height: 8, rx: 4, fill: glow }) + texts.join('');
}

/**
 * Draws a banner for a game that has none in the catalogue: its title beside a badge with its initials.
 *
 * @example
 * drawGameBanner({ slug: 'free-fire', title: 'Free Fire', brand: 'Garena' }); // <svg ...>
 */
export function drawGameBanner(game: DrawnGame): string {
  const { deep, glow } = paletteOf(game.slug);
  const height = 400;
  return drawGame(game, {
    width: 1200,
    height,
    light: { cx: 0.8, cy: 0.5, r: 0.42, opacity: 0.55 },
    emblem: [820, 54, 292],
    // The title ends at 0.64. Up to there, the shade must be dark enough for white letters.
    shade: gradient(
      'shade',
      across,
      [0, deep, 0.94],
      [0.64, deep, 0.72],
      [0.76, deep, 0.26],
      [0.88, deep, 0],
    ),
    text: drawTitle(nameOf(game), oneLine(game.brand), height, glow),
  });
}
