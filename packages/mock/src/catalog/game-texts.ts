import type { Faker } from '@faker-js/faker';
import type { Locale } from '@topup-kit/core/contract';
import type { Wallet } from './products.ts';

type LocalizedText = Record<Locale, string>;

/** A category of games, and the texts for its games. */
export interface Genre {
  title: LocalizedText;
  /** Nouns for titles. */
  nouns: readonly string[];
  /** The end of the sentence "The game is ...". */
  pitch: LocalizedText;
}

/** The categories. Their ids start at 1. */
export const genres: readonly Genre[] = [
  {
    title: { id: 'MOBA', en: 'MOBA' },
    nouns: ['Champions', 'Ancients', 'Heroes', 'Guardians', 'Legion', 'Titans', 'Nexus', 'Rivals'],
    pitch: {
      id: 'pertarungan lima lawan lima di tiga jalur',
      en: 'a fight of five against five in three lanes',
    },
  },
  {
    title: { id: 'Battle Royale', en: 'Battle Royale' },
    nouns: ['Survivors', 'Island', 'Drop', 'Outlaws', 'Dropzone', 'Frontier', 'Hunt', 'Wastes'],
    pitch: {
      id: 'battle royale untuk seratus pemain di satu pulau',
      en: 'a battle royale of a hundred players on one island',
    },
  },
  {
    title: { id: 'Role-Playing', en: 'Role-Playing' },
    nouns: ['Chronicles', 'Saga', 'Oath', 'Odyssey', 'Relics', 'Pilgrims', 'Covenant', 'Kingdoms'],
    pitch: { id: 'petualangan di dunia terbuka yang luas', en: 'an adventure in a wide open world' },
  },
  {
    title: { id: 'Tembak-menembak', en: 'Shooter' },
    nouns: ['Squad', 'Command', 'Recon', 'Crossfire', 'Vanguard', 'Protocol', 'Barrage', 'Operators'],
    pitch: { id: 'game tembak-menembak taktis antar regu', en: 'a tactical shooter for small squads' },
  },
  {
    title: { id: 'Strategi', en: 'Strategy' },
    nouns: ['Empires', 'Dominion', 'Siege', 'Warlords', 'Conquest', 'Strongholds', 'Throne', 'Legacies'],
    pitch: {
      id: 'game strategi membangun dan merebut kota',
      en: 'a strategy game of building and taking cities',
    },
  },
  {
    title: { id: 'Olahraga', en: 'Sports' },
    nouns: ['Football', 'Basketball', 'Badminton', 'League', 'Strikers', 'Tournament', 'Volley', 'Futsal'],
    pitch: { id: 'game olahraga dengan musim dan liga', en: 'a sports game with seasons and leagues' },
  },
  {
    title: { id: 'Balap', en: 'Racing' },
    nouns: ['Drift', 'Racers', 'Rally', 'Circuit', 'Motors', 'Speedway', 'Grand Prix', 'Riders'],
    pitch: { id: 'game balap dengan mobil yang bisa dirakit', en: 'a racing game with cars to build' },
  },
  {
    title: { id: 'Santai', en: 'Casual' },
    nouns: ['Party', 'Farm', 'Bakery', 'Puzzle', 'Pets', 'Island Life', 'Garden', 'Blast'],
    pitch: { id: 'game santai untuk dimainkan bersama teman', en: 'a light game to play with friends' },
  },
];

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

/** Generates the title of a game; `nouns` are the nouns of its genre. */
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

export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

interface Facts {
  title: string;
  developers: string;
  pitch: LocalizedText;
  wallet: Wallet;
  idLabel: string;
  serverLabel: string | undefined;
}

const features: Record<Locale, readonly string[]> = {
  id: [
    'Satu ronde selesai dalam sepuluh menit, cukup untuk menunggu bus.',
    'Setiap musim membawa peta, karakter dan misi baru.',
    'Ringan di ponsel lama, dan tetap mulus saat sinyal lemah.',
    'Bentuk tim dengan teman, naik peringkat, dan buka hadiah mingguan.',
    'Ceritanya bisa dimainkan sendiri; guild membuka lawan yang lebih besar.',
  ],
  en: [
    'A round takes ten minutes, which is as long as a bus ride.',
    'Every season brings new maps, characters and missions.',
    'It is light on old phones, and stays smooth when the signal is weak.',
    'Team up with friends, climb the ranks and open weekly rewards.',
    'The story can be played alone; a guild opens the larger fights.',
  ],
};

const purchases: Record<Locale, readonly string[]> = {
  id: [
    'skin, karakter dan emote',
    'pas musim dan peti hadiah',
    'senjata, kostum dan efek',
    'energi, bahan dan undian',
  ],
  en: [
    'skins, characters and emotes',
    'season passes and reward chests',
    'weapons, costumes and effects',
    'energy, materials and draws',
  ],
};

export function describeGame(faker: Faker, locale: Locale, game: Facts): string {
  const { title, developers, pitch, wallet, idLabel, serverLabel } = game;
  const { currency } = wallet;
  const feature = faker.helpers.arrayElement(features[locale]);
  const purchase = faker.helpers.arrayElement(purchases[locale]);
  const and = { id: 'dan', en: 'and' }[locale];
  const labels = serverLabel === undefined ? idLabel : `${idLabel} ${and} ${serverLabel}`;
  return locale === 'id'
    ? `${title} adalah ${pitch.id} dari ${developers}. ${feature} ${currency} dipakai untuk membeli ${purchase}. ${labels} tertera di halaman profil di dalam game.`
    : `${title} is ${pitch.en} by ${developers}. ${feature} ${currency} pay for ${purchase}. Look for your ${labels} on the profile page in the game.`;
}
