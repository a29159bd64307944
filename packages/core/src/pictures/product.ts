import { Coins, Gem, type IconNode, Pyramid, Ticket } from 'lucide';
import { drawIcon, drawScene, linearGradient, paletteOf, pick } from './drawing.ts';
import { drawLabel, oneLine } from './text.ts';

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

/** The left, top and size of each icon of a stack, from back to front: more icons for a larger amount. */
const stacks: Record<'small' | 'medium' | 'large', [x: number, y: number, size: number][]> = {
  small: [[76, 42, 104]],
  medium: [
    [52, 44, 80],
    [108, 52, 96],
  ],
  large: [
    [34, 68, 72],
    [150, 68, 72],
    [76, 42, 104],
  ],
};

function drawIconStack(title: string, brand: string, deep: string): string {
  const icon = iconOf(title, brand);
  const amount = icon === Ticket ? 1 : amountOf(title);
  const stack = amount < 100 ? stacks.small : amount < 1000 ? stacks.medium : stacks.large;
  const shadow = `fill="${deep}" stroke="${deep}" stroke-width="1.6" opacity=".35"`;
  const front = `fill="url(#icon)" stroke="${deep}" stroke-width="1.1"`;
  const icons = stack.map(([x, y, size]) => {
    const area = { x, y, width: size, height: size };
    return drawIcon(icon, { ...area, y: y + 5 }, shadow) + drawIcon(icon, area, front);
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
  const plate = { y: 184, height: 72 };
  const name = oneLine(title) || code;
  const palette = paletteOf(brand);
  const { deep, glow } = palette;
  return drawScene({
    width: side,
    height: side,
    title: name,
    palette,
    seed: code,
    patternOpacity: '.12',
    light: { x: 0.5, y: 0.4, radius: 0.5, opacity: 0.75 },
    gradients: [linearGradient('icon', 'down', [0, '#ffffff'], [1, glow])],
    shapes: [
      drawIconStack(name, brand, deep),
      `<rect y="${plate.y}" width="${side}" height="${plate.height}" fill="${deep}"/>`,
      drawLabel(name, {
        ...plate,
        x: side / 2,
        width: side - 28,
        sizes: [26, 23, 20, 18, 16],
        anchor: 'middle',
      }),
    ],
  });
}
