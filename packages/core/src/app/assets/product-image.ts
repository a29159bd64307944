import { type Chance, chanceOf } from './chance.ts';
import { oneLine } from './escape-xml.ts';
import { fitText } from './fit-text.ts';
import { drawHeap } from './heap.ts';
import { type Palette, paletteOf } from './palette.ts';
import { linearGradient, radialGradient, short, sparkle, svgDocument, textHeight, textLines } from './svg.ts';
import { treasureGradients } from './treasures.ts';

const side = 256;
const stage = { x: side / 2, y: 98 };

/** What a product's picture is drawn from. */
export interface DrawnProduct {
  code: string;
  title: string;
  brand: string;
}

function drawSparkle(chance: Chance): string {
  const centre = { x: 16 + chance() * (side - 32), y: 14 + chance() * 140 };
  const star = sparkle(centre, 5 + chance() * 11);
  return `<path d="${star}" fill="#ffffff" fill-opacity="${short(0.4 + chance() * 0.5)}"/>`;
}

function drawTitle(title: string, { deep }: Palette): string {
  const { size, lines } = fitText(title, { width: side - 28, maxLines: 2, sizes: [26, 23, 20, 18, 16] });
  const top = 184;
  const first = top + (side - top - textHeight(lines.length, size)) / 2 + textHeight(1, size);
  const plate = `<rect y="${top}" width="${side}" height="${side - top}" fill="${deep}"/>`;
  return (
    plate + textLines(lines, { x: stage.x, y: first, size, fill: '#ffffff', weight: 700, anchor: 'middle' })
  );
}

const gradients = ({ from, to, glow }: Palette): string =>
  linearGradient('ground', 'diagonal', [0, from], [1, to]) +
  radialGradient('light', { x: 0.5, y: 0.4, radius: 0.5 }, [0, glow, 0.75], [1, glow, 0]) +
  treasureGradients;

/**
 * A product's picture, for a catalogue that has none: gems, crystals, coins or a card, after its title; more
 * of them for a larger amount. Products of one brand share their colours.
 *
 * @example
 * drawProductImage({ code: 'ML86', title: '86 Diamond', brand: 'Mobile Legends' }); // <svg ...>
 */
export function drawProductImage({ code, title, brand }: DrawnProduct): string {
  const palette = paletteOf(brand);
  const chance = chanceOf(code);
  const name = oneLine(title) || code;
  const cover = (fill: string) => `<rect width="${side}" height="${side}" fill="url(#${fill})"/>`;
  const body = [
    `<defs>${gradients(palette)}</defs>`,
    cover('ground'),
    cover('light'),
    drawHeap({ centre: stage, title: name, brand }, chance),
    ...Array.from({ length: 5 }, () => drawSparkle(chance)),
    drawTitle(name, palette),
  ].join('');
  return svgDocument({ width: side, height: side, title: name, body });
}
