import type { Faker, LocaleDefinition } from '@faker-js/faker';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as indonesian } from '@faker-js/faker/locale/id_ID';

export const locales = ['id', 'en'] as const;
/** Language of the names and texts: Indonesian or English. */
export type Locale = (typeof locales)[number];

/** What is drawn; each kind has a chance of its own, so that one more draw here changes nothing there. */
const kinds = { game: 1, studios: 2, promos: 3 } as const;

/**
 * A faker that starts anew for the thing that the numbers name: same thing, same draws, whatever was drawn before.
 * Only one thing at a time, because all share the faker; starting anew is what takes the time.
 */
export type Chance = (kind: keyof typeof kinds, ...place: number[]) => Faker;

// safe: an instance's constructor is its class, which the modules of single locales don't export
const FakerClass = english.constructor as new (options: { locale: LocaleDefinition }) => Faker;

const speaking = { id: indonesian, en: english };

/** The chance of one seed, over a faker of its own: the shared ones may be seeded by whoever uses them too. */
export function createChance(seed: number, locale: Locale): Chance {
  const faker = new FakerClass({ locale: speaking[locale].rawDefinitions });
  // The generator takes words of 32 bits.
  const words = [seed % 2 ** 32, Math.floor(seed / 2 ** 32)];
  return (kind, ...place) => {
    faker.seed([...words, kinds[kind], ...place]);
    return faker;
  };
}
