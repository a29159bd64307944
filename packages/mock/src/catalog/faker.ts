import type { Faker, LocaleDefinition } from '@faker-js/faker';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as indonesian } from '@faker-js/faker/locale/id_ID';
import type { Locale } from '@topup-kit/core/contract';

/** Kinds of random data. Each kind has its own seed, so that additional data of one kind doesn't change the others. */
const kinds = { game: 1, studios: 2, promos: 3 } as const;

/**
 * Returns a faker seeded for a kind and numbers, so that its values don't depend on earlier ones. All calls share one instance, because
 * creating an instance takes longer than seeding it. Use the returned faker before the next call.
 */
export type FakerFor = (kind: keyof typeof kinds, ...place: number[]) => Faker;

// Safe: an instance's constructor is its class, which the modules of single locales don't export.
const FakerClass = english.constructor as new (options: { locale: LocaleDefinition }) => Faker;

const byLocale = { id: indonesian, en: english };

/** Creates the fakers for a seed and a language. They don't use faker's shared instance, because the app may have seeded it. */
export function createFakerFor(seed: number, locale: Locale): FakerFor {
  const faker = new FakerClass({ locale: byLocale[locale].rawDefinitions });
  // The generator needs 32-bit words.
  const words = [seed % 2 ** 32, Math.floor(seed / 2 ** 32)];
  return (kind, ...place) => {
    faker.seed([...words, kinds[kind], ...place]);
    return faker;
  };
}
