import { Coins, Gem, type IconNode, Pyramid, Ticket } from 'lucide';
import {
  drawIcon,
  drawPattern,
  linearGradient,
  paletteOf,
  pick,
  radialGradient,
  svgDocument,
} from './drawing.ts';
import { fitText, oneLine, textHeight, textLines } from './text.ts';

const productIcons: [RegExp, IconNode][] = [
  [/\b(pass|card|membership|subscription|supply|welkin)\b/i, Ticket],
  [/\b(diamonds?|gems?)\b/i, Gem],
  [/\b(crystals?|shards?|monochrome|lunites?|echoes|cores?)\b/i, Pyramid],
  [/\b(coins?|gold|silver|tokens?|points?|cash|wallet|uc|cp|robux|bonds?|vouchers?)\b/i, Coins],
];

/** The icon for a word in the title; without such a word, the same icon for all products of a brand. */
const iconOf = (title: string, brand: string): IconNode =>
  productIcons.find(([name]) => name.test(title))?.[1] ?? pick([Gem, Pyramid, Coins], `${brand} product`);

/** The amount in a title: 2400 for `2.400 PB Cash`, 1 for a title without a number. */
const amountOf = (title: string): number =>
  Number(title.replace(/[.,](?=\d{3})/g, '').match(/\d+/)?.[0] ?? 1);

/** The left, top and size of each icon of a stack, from back to front. */
type Places = (readonly [x: number, y: number, size: number])[];

const one: Places = [[76, 42, 104]];
const two: Places = [
  [52, 44, 80],
  [108, 52, 96],
];
const three: Places = [
  [34, 68, 72],
  [150, 68, 72],
  [76, 42, 104],
];

/** More icons for a larger amount. */
const placesFor = (icon: IconNode, amount: number): Places =>
  icon === Ticket || amount < 100 ? one : amount < 1000 ? two : three;

function drawIconStack(title: string, brand: string, deep: string): string {
  const icon = iconOf(title, brand);
  const icons = placesFor(icon, amountOf(title)).map(([x, y, size]) => {
    const area = { x, y, width: size, height: size };
    return (
      drawIcon(
        icon,
        { ...area, y: y + 5 },
        `fill="${deep}" stroke="${deep}" stroke-width="1.6" opacity=".35"`,
      ) + drawIcon(icon, area, `fill="url(#icon)" stroke="${deep}" stroke-width="1.1"`)
    );
  });
  return icons.join('');
}

/** The fields of a product that its picture shows. */
export interface DrawnProduct {
  code: string;
  title: string;
  brand: string;
}

/**
 * Draws a picture for a product that has none in the catalogue: gems, crystals, coins or a ticket, depending on its
 * title, and more of them for a larger amount. Products of one brand have the same colours.
 *
 * @example
 * drawProductImage({ code: 'ML86', title: '86 Diamond', brand: 'Mobile Legends' }); // <svg ...>
 */
export function drawProductImage({ code, title, brand }: DrawnProduct): string {
  const side = 256;
  const plateTop = 184;
  const name = oneLine(title) || code;
  const { deep, from, to, glow } = paletteOf(brand);
  const { size, lines } = fitText(name, { width: side - 28, maxLines: 2, sizes: [26, 23, 20, 18, 16] });
  const firstLine = plateTop + (side - plateTop - textHeight(lines.length, size)) / 2 + textHeight(1, size);
  const cover = (fill: string) => `<rect width="${side}" height="${side}" fill="url(#${fill})"/>`;
  const body = [
    '<defs>',
    linearGradient('ground', 'diagonal', [0, from], [1, to]),
    radialGradient('light', { x: 0.5, y: 0.4, radius: 0.5 }, [0, glow, 0.75], [1, glow, 0]),
    linearGradient('icon', 'down', [0, '#ffffff'], [1, glow]),
    '</defs>',
    cover('ground'),
    `<g opacity=".12">${drawPattern(code, { x: 0, y: 0, width: side, height: side })}</g>`,
    cover('light'),
    drawIconStack(name, brand, deep),
    `<rect y="${plateTop}" width="${side}" height="${side - plateTop}" fill="${deep}"/>`,
    textLines(lines, { x: side / 2, y: firstLine, size, fill: '#ffffff', weight: 700, anchor: 'middle' }),
  ].join('');
  return svgDocument({ width: side, height: side, title: name, body });
}
