import type { Localised } from '@topup-kit/core/contract';

export const sections = ['home', 'orders', 'catalog', 'events', 'sandbox'] as const;
export type Section = (typeof sections)[number];

export const sectionTitles: Record<Section, Localised> = {
  home: { id: 'Ringkasan', en: 'Overview' },
  orders: { id: 'Pesanan', en: 'Orders' },
  catalog: { id: 'Katalog', en: 'Catalogue' },
  events: { id: 'Peristiwa', en: 'Events' },
  sandbox: { id: 'Sandbox', en: 'Sandbox' },
};

export const frameTexts = {
  id: {
    skip: 'Langsung ke isi',
    navigation: 'Bagian konsol',
    search: 'Cari pesanan',
    searchHint: 'Id, nomor HP, email, pemain, total',
    help: 'Bantuan papan ketik',
    logOut: 'Keluar',
    readOnly: 'hanya baca',
    live: 'live',
    sandbox: 'sandbox',
    clockAhead: 'Jam sandbox di depan',
    keys: [
      { keys: '/', effect: 'mencari' },
      { keys: 'j k', effect: 'ke baris berikutnya, sebelumnya' },
      { keys: 'Enter', effect: 'membuka baris' },
      { keys: 'g h, g o, g c, g e, g s', effect: 'ke Ringkasan, Pesanan, Katalog, Peristiwa, Sandbox' },
      { keys: '?', effect: 'bantuan ini' },
    ],
    close: 'Tutup',
    offline: 'Server tidak terjangkau. Halaman ini dari pukul',
    ended: 'Sesi berakhir. Masuk lagi di tab lain; isian Anda tetap di sini.',
    done: 'Selesai:',
    storeFails: 'Penyimpanan sedang tidak menerima perubahan. Membaca masih bisa.',
  },
  en: {
    skip: 'Skip to content',
    navigation: 'Sections of the console',
    search: 'Search orders',
    searchHint: 'Id, phone, e-mail, player, total',
    help: 'Keyboard help',
    logOut: 'Log out',
    readOnly: 'read only',
    live: 'live',
    sandbox: 'sandbox',
    clockAhead: 'Sandbox clock ahead by',
    keys: [
      { keys: '/', effect: 'search' },
      { keys: 'j k', effect: 'next, previous row' },
      { keys: 'Enter', effect: 'open the row' },
      { keys: 'g h, g o, g c, g e, g s', effect: 'to Overview, Orders, Catalogue, Events, Sandbox' },
      { keys: '?', effect: 'this help' },
    ],
    close: 'Close',
    offline: 'The server can’t be reached. This page is from',
    ended: 'Your session has ended. Log in again in another tab; what you typed stays here.',
    done: 'Done:',
    storeFails: 'The store accepts no changes at the moment. Reading still works.',
  },
};
