import { type Chance, hashText, pick } from './chance.ts';
import { type Point, short } from './svg.ts';
import { coin, crystal, gem, pass, type Treasure } from './treasures.ts';

const namedTreasures: [RegExp, Treasure][] = [
  [/\b(pass|card|membership|subscription|supply|welkin)\b/i, pass],
  [/\b(diamonds?|gems?)\b/i, gem],
  [/\b(crystals?|shards?|monochrome|lunites?|echoes|cores?)\b/i, crystal],
  [/\b(coins?|gold|silver|tokens?|points?|cash|wallet|uc|cp|robux|bonds?|vouchers?)\b/i, coin],
];

/** What a title names, or else one thing for all products of a brand. */
const treasureOf = (title: string, brand: string): Treasure =>
  namedTreasures.find(([name]) => name.test(title))?.[1] ??
  pick([gem, crystal, coin], hashText(`${brand} treasure`) / 2 ** 32);

/** `2.400 PB Cash` is 2400; a title without a figure is one. */
const amountOf = (title: string): number =>
  Number(title.replace(/[.,](?=\d{3})/g, '').match(/\d+/)?.[0] ?? 1);

/** Where the pieces of a heap lie: x, y and scale. */
type Places = (readonly [x: number, y: number, scale: number])[];

const one: Places = [[0, 0, 1]];
const two: Places = [
  [-34, 6, 0.78],
  [28, 10, 0.92],
];
const three: Places = [
  [-50, 20, 0.66],
  [50, 20, 0.66],
  [0, 2, 0.94],
];

const placesFor = (amount: number): Places => (amount < 100 ? one : amount < 1000 ? two : three);

/** What a heap shows, and the point it lies around. */
export interface Heap {
  centre: Point;
  title: string;
  brand: string;
}

/**
 * A heap of what a product's title names, larger for a larger amount, each piece tilted by chance.
 *
 * @example
 * drawHeap({ centre: { x: 128, y: 98 }, title: '86 Diamond', brand: 'Mobile Legends' }, chanceOf('ML86'));
 */
export function drawHeap({ centre, title, brand }: Heap, chance: Chance): string {
  const treasure = treasureOf(title, brand);
  const places = treasure === pass ? one : placesFor(amountOf(title));
  const pieces = places.map(([x, y, scale]) => {
    const tilt = short(chance() * 24 - 12);
    const place = `translate(${centre.x + x} ${centre.y + y}) rotate(${tilt}) scale(${scale})`;
    return `<g transform="${place}">${treasure}</g>`;
  });
  return pieces.join('');
}
