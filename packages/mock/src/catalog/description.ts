import type { Faker } from '@faker-js/faker';
import type { Locale } from './chance.ts';
import type { Words } from './genres.ts';
import type { Wallet } from './products.ts';

interface Facts {
  title: string;
  developers: string;
  pitch: Words;
  wallet: Wallet;
  idLabel: string;
  serverLabel: string | undefined;
}

const looks: Record<Locale, readonly string[]> = {
  id: [
    'Satu ronde selesai dalam sepuluh menit, cukup untuk menunggu bus.',
    'Setiap musim membawa peta, karakter dan misi baru.',
    'Ringan di ponsel lama, dan tetap mulus saat sinyal lemah.',
    'Bentuk tim dengan teman, naik peringkat, dan buka hadiah mingguan.',
    'Ceritanya bisa dimainkan sendiri; gilda membuka lawan yang lebih besar.',
  ],
  en: [
    'A round takes ten minutes, which is as long as a bus ride.',
    'Every season brings new maps, characters and missions.',
    'It is light on old phones, and stays smooth when the signal is weak.',
    'Team up with friends, climb the ranks and open weekly rewards.',
    'The story can be played alone; a guild opens the larger fights.',
  ],
};

const goods: Record<Locale, readonly string[]> = {
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

/** What a product page says of a game. */
export function describeGame(faker: Faker, locale: Locale, facts: Facts): string {
  const { title, developers, pitch, wallet, idLabel, serverLabel } = facts;
  const { currency } = wallet;
  const look = faker.helpers.arrayElement(looks[locale]);
  const buys = faker.helpers.arrayElement(goods[locale]);
  const and = { id: 'dan', en: 'and' }[locale];
  const labels = serverLabel === undefined ? idLabel : `${idLabel} ${and} ${serverLabel}`;
  return locale === 'id'
    ? `${title} adalah ${pitch.id} dari ${developers}. ${look} ${currency} dipakai untuk membeli ${buys}. ${labels} tertera di halaman profil di dalam game.`
    : `${title} is ${pitch.en} by ${developers}. ${look} ${currency} pay for ${buys}. Look for your ${labels} on the profile page in the game.`;
}
