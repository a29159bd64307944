import type { Faker, LocaleDefinition } from '@faker-js/faker';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as indonesian } from '@faker-js/faker/locale/id_ID';
import type { Locale } from '@topup-kit/core/contract';

/** What is drawn; each kind has a seed of its own, so that one more draw of a kind changes no other. */
const kinds = { game: 1, studios: 2, promos: 3 } as const;

/**
 * A faker seeded for what the numbers name: it draws the same, whatever was drawn before. All share one instance, because
 * making one takes longer than seeding it; so draw for one thing at a time.
 */
export type FakerFor = (kind: keyof typeof kinds, ...place: number[]) => Faker;

// safe: an instance's constructor is its class, which the modules of single locales don't export
const FakerClass = english.constructor as new (options: { locale: LocaleDefinition }) => Faker;

const byLocale = { id: indonesian, en: english };

/** Fakers of one seed and language. The instance is our own: faker's shared one may be seeded by the app. */
export function createFakerFor(seed: number, locale: Locale): FakerFor {
  const faker = new FakerClass({ locale: byLocale[locale].rawDefinitions });
  // The generator takes words of 32 bits.
  const words = [seed % 2 ** 32, Math.floor(seed / 2 ** 32)];
  return (kind, ...place) => {
    faker.seed([...words, kinds[kind], ...place]);
    return faker;
  };
}
