import { Circle, Hexagon, Octagon, Shield, Squircle } from 'lucide';
import { drawScene, paletteOf, pick } from './scene.ts';
import {
  across,
  cover,
  diagonal,
  down,
  drawIcon,
  drawLabel,
  drawLines,
  element,
  gradient,
  type Square,
  textHeight,
} from './svg.ts';
import { fitText, initialsOf, nameOf, oneLine, textWidth } from './text.ts';

export interface DrawnGame {
  slug: string;
  title: string;
  brand: string;
}

/** Draws a badge with the game's initials. The slug determines its outline. */
function drawEmblem(game: DrawnGame, [x, y, side]: Square): string {
  const { deep, from, glow } = paletteOf(game.slug);
  const outline = pick([Hexagon, Octagon, Circle, Shield, Squircle], `${game.slug} emblem`);
  const shadow = { fill: '#000000', stroke: '#000000', 'stroke-width': 1.4, opacity: 0.3 };
  const plate = { fill: 'url(#plate)', stroke: 'url(#rim)', 'stroke-width': 1.2 };
  const initials = initialsOf(nameOf(game.title, game.slug));
  const size = Math.round(Math.min(side * 0.42, (side * 0.56) / textWidth(initials)));
  const style = { fill: '#ffffff', 'font-weight': 800, 'text-anchor': 'middle' };
  return [
    gradient('plate', down, [0, from], [0.25, deep], [1, deep]),
    gradient('rim', diagonal, [0, '#ffffff'], [0.45, glow], [1, from]),
    drawIcon(outline, [x, y + side * 0.04, side], shadow),
    drawIcon(outline, [x, y, side], plate),
    drawLines([initials], [x + side / 2, y + side / 2 + size * 0.36, size], style),
  ].join('');
}

const sceneOf = (game: DrawnGame) => ({
  palette: paletteOf(game.slug),
  title: nameOf(game.title, game.slug),
  seed: game.slug,
  patternOpacity: 0.2,
});

/** Draws a picture for a game without a picture: a badge with the title's initials, and the brand. A game always gets the same picture. */
export function drawGameImage(game: DrawnGame): string {
  const scene = sceneOf(game);
  const { deep } = scene.palette;
  // A phone shows three games in a row, so 46 of these units are 10 pixels.
  const label = { x: 256, y: 348, width: 472, height: 144, sizes: [64, 58, 52, 46] };
  return drawScene({
    ...scene,
    width: 512,
    height: 512,
    light: { cx: 0.5, cy: 0.4, r: 0.6, opacity: 0.6 },
    shapes: [
      gradient('shade', down, [0.45, deep, 0], [0.72, deep, 0.92], [1, deep, 1]),
      cover('shade'),
      drawEmblem(game, [108, 30, 296]),
      drawLabel(oneLine(game.brand), label, { 'text-anchor': 'middle' }),
    ],
  });
}

/** Draws the title with a bar above it, and the brand below it unless the title contains the brand. */
function drawTitle(title: string, brand: string, height: number, glow: string): string {
  const x = 80;
  const showsBrand = !title.toLowerCase().includes(brand.toLowerCase());
  const { size, lines } = fitText(title, { width: 680, maxLines: 2, sizes: [84, 72, 62, 54, 46] });
  const sub = fitText(brand, { width: 680, maxLines: 1, sizes: [48, 42] });
  const block = 34 + textHeight(lines.length, size);
  const top = (height - block - (showsBrand ? 68 : 0)) / 2;
  const style = { fill: '#ffffff', 'font-weight': 800, 'letter-spacing': -0.5 };
  const subStyle = { fill: glow, 'font-weight': 600 };
  return [
    element('rect', { x, y: top, width: 72, height: 8, rx: 4, fill: glow }),
    drawLines(lines, [x, top + 34 + textHeight(1, size), size], style),
    showsBrand ? drawLines(sub.lines, [x, top + block + 68, sub.size], subStyle) : '',
  ].join('');
}

/** Draws a banner for a game that has none in the catalogue: its title and a badge with its initials. */
export function drawGameBanner(game: DrawnGame): string {
  const scene = sceneOf(game);
  const { deep, glow } = scene.palette;
  return drawScene({
    ...scene,
    width: 1200,
    height: 400,
    light: { cx: 0.8, cy: 0.5, r: 0.42, opacity: 0.55 },
    shapes: [
      // The title ends at 0.64. Up to this position, the shade must be dark enough for white letters.
      gradient('shade', across, [0, deep, 0.94], [0.64, deep, 0.72], [0.76, deep, 0.26], [0.88, deep, 0]),
      cover('shade'),
      drawEmblem(game, [820, 54, 292]),
      drawTitle(scene.title, oneLine(game.brand), 400, glow),
    ],
  });
}
