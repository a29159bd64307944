import type { Faker } from '@faker-js/faker';
import type { Locale, TargetField } from '@topup-kit/core/contract';
import type { CatalogGame } from '@topup-kit/core/store';
import type { FakerFor } from './faker.ts';
import { describeGame, drawTitle, type Genre, genres, slugOf } from './game-texts.ts';
import { drawProduct, type Wallet } from './products.ts';

const currencies = [
  ...['Diamonds', 'Gems', 'Crystals', 'Coins', 'Tokens', 'Gold', 'Points', 'Credits', 'Shards', 'Rubies'],
  ...['Pearls', 'Stars'],
];

function drawWallet(faker: Faker): Wallet {
  return {
    currency: faker.helpers.arrayElement(currencies),
    pack: faker.helpers.arrayElement([5, 10, 12, 16, 30, 50, 60, 80, 100]),
    packPrice: faker.number.int({ min: 15, max: 160 }) * 100,
    bonus: faker.number.float() < 0.3,
  };
}

const regions = ['Asia', 'Southeast Asia', 'Japan', 'Europe', 'America'];

function drawFields(faker: Faker): [id: TargetField, server?: TargetField] {
  const label = faker.helpers.arrayElement(['User ID', 'Player ID', 'UID', 'Character ID']);
  const id: TargetField = { name: 'id', label, required: true };
  const zone: TargetField = { name: 'server', label: 'Zone ID', required: true };
  const server: TargetField = {
    name: 'server',
    label: 'Server',
    required: true,
    options: regions.slice(0, faker.number.int({ min: 2, max: regions.length })),
  };
  return faker.helpers.weightedArrayElement([
    { weight: 6, value: [id] },
    { weight: 3, value: [id, server] },
    { weight: 1, value: [id, zone] },
  ]);
}

const initials = (title: string): string => title.replace(/[^A-Z]/g, '').slice(0, 3);

interface Drawn {
  faker: Faker;
  genre: Genre;
  title: string;
  slug: string;
}

/** Generates titles until it finds a new one. It compares only with earlier games, so that later games don't change the result. */
function drawNewTitle(fakerFor: FakerFor, game: number, usedSlugs: Set<string>): Drawn {
  for (let attempt = 0; ; attempt += 1) {
    const faker = fakerFor('game', game, attempt);
    const genre = faker.helpers.arrayElement(genres);
    const title = drawTitle(faker, genre.nouns);
    const slug = slugOf(title);
    if (usedSlugs.has(slug)) continue;
    usedSlugs.add(slug);
    return { faker, genre, title, slug };
  }
}

interface CatalogContext {
  fakerFor: FakerFor;
  locale: Locale;
  /** Number of products of each game; random if undefined. */
  products: number | undefined;
  studios: readonly string[];
  /** Slugs of the games generated so far. */
  usedSlugs: Set<string>;
}

/** Generates game number `game`, from 1. The games before it must be generated first. */
export function generateGame(
  game: number,
  { fakerFor, locale, products, studios, usedSlugs }: CatalogContext,
): CatalogGame {
  const { faker, genre, title, slug } = drawNewTitle(fakerFor, game, usedSlugs);
  const { pitch } = genre;
  const wallet = drawWallet(faker);
  const [id, server] = drawFields(faker);
  const developers = faker.helpers.arrayElement(studios);
  const described = { title, developers, pitch, wallet, idLabel: id.label, serverLabel: server?.label };
  const description = describeGame(faker, locale, described);
  // The probability decreases with the game's number, so that only a few games are popular.
  const populer = faker.number.float() < 3 / game;
  const closed = faker.number.float() < 0.03;
  // This number is generated even if it isn't used, so that the products don't depend on the option.
  const randomCount = faker.number.int({ min: 4, max: 12 });
  const shared = { game, code: `${initials(title)}${game}`, wallet };
  return {
    id: game,
    slug,
    title,
    developers,
    brand: title.split(':')[0] ?? title,
    category_id: genres.indexOf(genre) + 1,
    description,
    image: null,
    banner: null,
    // Popular games can always be ordered, and the first game is always popular.
    status: populer || !closed,
    hidden: false,
    populer,
    sort: game,
    fields: server ? [id, server] : [id],
    target: null,
    products: Array.from({ length: products ?? randomCount }, (_none, index) =>
      drawProduct(faker, index + 1, shared),
    ),
  };
}
