import type { Faker } from '@faker-js/faker';

const firsts = [
  ...['Shadow', 'Iron', 'Crystal', 'Storm', 'Ember', 'Frost', 'Lunar', 'Solar', 'Crimson', 'Azure'],
  ...['Golden', 'Silver', 'Mystic', 'Arcane', 'Savage', 'Silent', 'Eternal', 'Rogue', 'Royal', 'Neon'],
  ...['Thunder', 'Phantom', 'Dragon', 'Tiger', 'Raven', 'Wolf', 'Falcon', 'Ocean', 'Comet', 'Night'],
  ...['Spirit', 'Rune', 'Steel', 'Turbo', 'Super', 'Pixel', 'Hyper', 'Sacred', 'Infinite', 'Garuda'],
];
const placeStarts = [
  ...['Ael', 'Bran', 'Cal', 'Dor', 'El', 'Fen', 'Gal', 'Hal', 'Is', 'Kar', 'Lor', 'Mar', 'Nor', 'Ral'],
  ...['Sel', 'Tor', 'Val', 'Ves', 'Wyn', 'Zan'],
];
const placeMiddles = ['a', 'e', 'i', 'o', 'an', 'er', 'ia', 'or'];
const placeEnds = ['dia', 'dor', 'garde', 'heim', 'lia', 'mar', 'nis', 'ria', 'ros', 'thas', 'vale', 'wyn'];
const subtitles = [
  ...['Rising', 'Awakening', 'Reborn', 'Origins', 'Legacy', 'Uprising', 'New Dawn', 'Last Stand'],
  ...['Homecoming', 'Lost Kingdoms', 'Eclipse', 'Second Season', 'Overdrive', 'Unbound', 'Zero Hour'],
];
const endings = ['Online', 'Mobile', 'M', 'Go', 'Saga', 'Tales', 'World'];

/** A game's title in the manner of the stores; nouns are its genre's. */
export function drawTitle(faker: Faker, nouns: readonly string[]): string {
  const pick = (words: readonly string[]): string => faker.helpers.arrayElement(words);
  const place = (): string => pick(placeStarts) + pick(placeMiddles) + pick(placeEnds);
  const pattern = faker.helpers.weightedArrayElement([
    { weight: 4, value: () => `${pick(firsts)} ${pick(nouns)}` },
    { weight: 3, value: () => `${pick(firsts)} ${pick(nouns)}: ${pick(subtitles)}` },
    { weight: 3, value: () => `${pick(nouns)} of ${place()}` },
    { weight: 2, value: () => `${place()} ${pick(endings)}` },
  ]);
  return pattern();
}

/** The title as an order names it. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
