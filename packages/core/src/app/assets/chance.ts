/** A number from 0 up to, but not including, 1. */
export type Chance = () => number;

/**
 * A whole number of 32 bits that stays the same for a text, and is quite another for a similar one (FNV-1a).
 *
 * @example
 * hashText('free-fire') === hashText('free-fire'); // true
 */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/**
 * A row of seeming chances that a text decides: the same text gives the same row (mulberry32).
 *
 * @example
 * const chance = chanceOf('free-fire');
 * const tilt = chance() * 30;
 */
export function chanceOf(text: string): Chance {
  let state = hashText(text);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * One of some things, by a number from 0 to 1.
 *
 * @example
 * const motif = pick(motifs, chance());
 */
export const pick = <Item>(items: readonly [Item, ...Item[]], share: number): Item =>
  items[Math.floor(share * items.length)] ?? items[0];
