import { Coins, Gem, type IconNode, Pyramid, Ticket } from 'lucide';
import { drawScene, type Palette, paletteOf, pick } from './scene.ts';
import { down, drawIcon, drawLabel, element, gradient, type Square } from './svg.ts';
import { nameOf } from './text.ts';

const productIcons: [RegExp, IconNode][] = [
  [/\b(pass|card|membership|subscription|supply|welkin)\b/i, Ticket],
  [/\b(diamonds?|gems?)\b/i, Gem],
  [/\b(crystals?|shards?|monochrome|lunites?|echoes|cores?)\b/i, Pyramid],
  [/\b(coins?|gold|silver|tokens?|points?|cash|wallet|uc|cp|robux|bonds?|vouchers?)\b/i, Coins],
];

/** Chooses the icon by a word in the title. If no word matches, all products of a brand share an icon. */
const iconOf = (title: string, brand: string): IconNode =>
  productIcons.find(([name]) => name.test(title))?.[1] ?? pick([Gem, Pyramid, Coins], `${brand} product`);

/** Returns the amount in a title: 2400 for `2.400 PB Cash`, 1 for a title without a number. */
const amountOf = (title: string): number =>
  Number(title.replace(/[.,](?=\d{3})/g, '').match(/\d+/)?.[0] ?? 1);

/** Positions of icons from back to front; a larger amount has more icons. */
const stacks: Record<'small' | 'medium' | 'large', Square[]> = {
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

function drawIconStack(title: string, brand: string, { deep, glow }: Palette): string {
  const icon = iconOf(title, brand);
  const amount = icon === Ticket ? 1 : amountOf(title);
  const stack = amount < 100 ? stacks.small : amount < 1000 ? stacks.medium : stacks.large;
  const shadow = { fill: deep, stroke: deep, 'stroke-width': 1.6, opacity: 0.35 };
  const front = { fill: 'url(#icon)', stroke: deep, 'stroke-width': 1.1 };
  const icons = stack.map(
    ([x, y, side]) => drawIcon(icon, [x, y + 5, side], shadow) + drawIcon(icon, [x, y, side], front),
  );
  return gradient('icon', down, [0, '#ffffff'], [1, glow]) + icons.join('');
}

/**
 * Draws a picture for a product that has none in the catalogue: gems, crystals, coins or a ticket, depending on its title, and more of them
 * for a larger amount. Products of one brand have the same colours.
 */
export function drawProductImage(product: { code: string; title: string; brand: string }): string {
  const { code, brand } = product;
  const title = nameOf(product.title, code);
  const palette = paletteOf(brand);
  const label = { x: 128, y: 184, width: 228, height: 72, sizes: [26, 23, 20, 18, 16] };
  return drawScene({
    palette,
    width: 256,
    height: 256,
    title,
    seed: code,
    patternOpacity: 0.12,
    light: { cx: 0.5, cy: 0.4, r: 0.5, opacity: 0.75 },
    shapes: [
      drawIconStack(title, brand, palette),
      element('rect', { y: 184, width: 256, height: 72, fill: palette.deep }),
      drawLabel(title, label, { 'text-anchor': 'middle' }),
    ],
  });
}
