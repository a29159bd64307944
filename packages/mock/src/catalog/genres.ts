import type { Locale } from './chance.ts';

/** A text in each language. */
export type Words = Record<Locale, string>;

/** A category of games, and how its games speak of themselves. */
export interface Genre {
  title: Words;
  /** Nouns of titles. */
  nouns: readonly string[];
  /** Ends "... is". */
  pitch: Words;
}

/** The categories; their ids count from 1. */
export const genres: readonly Genre[] = [
  {
    title: { id: 'MOBA', en: 'MOBA' },
    nouns: ['Champions', 'Ancients', 'Heroes', 'Guardians', 'Legion', 'Titans', 'Nexus', 'Rivals'],
    pitch: {
      id: 'pertarungan lima lawan lima di tiga jalur',
      en: 'a fight of five against five over three lanes',
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
