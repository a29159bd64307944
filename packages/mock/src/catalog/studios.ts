import type { Chance } from './chance.ts';

/** Few enough that studios come back, as they do in shops. */
const studios = 120;

/** The names of all studios, in the manner of the language's people and places. */
export function drawStudios(chance: Chance): string[] {
  const { helpers, person, location } = chance('studios');
  const patterns = [
    { weight: 3, value: () => `${person.lastName()} Interactive` },
    { weight: 2, value: () => `${person.lastName()} & ${person.lastName()}` },
    { weight: 2, value: () => `${location.city()} Games` },
    { weight: 2, value: () => `Studio ${person.lastName()}` },
    { weight: 1, value: () => `${location.city()} Digital` },
  ];
  return Array.from({ length: studios }, () => helpers.weightedArrayElement(patterns)());
}
