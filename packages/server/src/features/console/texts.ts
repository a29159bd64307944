import type { Localised } from '@topup-kit/core/contract';

export const sections = ['home', 'orders', 'payments', 'catalog', 'events', 'sandbox'] as const;
export type Section = (typeof sections)[number];

export const sectionTitles: Record<Section, Localised> = {
  home: { id: 'Ringkasan', en: 'Overview' },
  orders: { id: 'Pesanan', en: 'Orders' },
  payments: { id: 'Pembayaran', en: 'Payments' },
  catalog: { id: 'Katalog', en: 'Catalogue' },
  events: { id: 'Peristiwa', en: 'Events' },
  sandbox: { id: 'Sandbox', en: 'Sandbox' },
};

export const frameTexts = {
  skip: { id: 'Langsung ke isi', en: 'Skip to content' },
  navigation: { id: 'Bagian konsol', en: 'Sections of the console' },
  search: { id: 'Cari pesanan', en: 'Search orders' },
  searchHint: { id: 'Id, nomor HP, email, pemain, total', en: 'Id, phone, e-mail, player, total' },
  needYou: { id: 'menunggu Anda', en: 'need you' },
  account: { id: 'akun dan bantuan', en: 'account and help' },
  help: { id: 'Bantuan papan ketik', en: 'Keyboard help' },
  logOut: { id: 'Keluar', en: 'Log out' },
  readOnly: { id: 'hanya baca', en: 'read only' },
  live: { id: 'Live', en: 'Live' },
  sandbox: { id: 'Sandbox', en: 'Sandbox' },
  clockAhead: { id: 'di depan', en: 'ahead' },
  controls: { id: 'Kendali', en: 'Controls' },
  close: { id: 'Tutup', en: 'Close' },
  offline: {
    id: 'Server tidak terjangkau. Halaman ini dari pukul',
    en: 'The server can’t be reached. This page is from',
  },
  ended: {
    id: 'Sesi berakhir. Masuk lagi di tab lain; isian Anda tetap di sini.',
    en: 'Your session has ended. Log in again in another tab; what you typed stays here.',
  },
  done: { id: 'Selesai:', en: 'Done:' },
  storeFails: {
    id: 'Penyimpanan sedang tidak menerima perubahan. Membaca masih bisa.',
    en: 'The store accepts no changes at the moment. Reading still works.',
  },
};

/** The keyboard shortcuts, except the letters of the sections after `g`. */
export const keyTexts: readonly (readonly [keys: string, effect: Localised])[] = [
  ['/', { id: 'mencari', en: 'search' }],
  ['j k', { id: 'ke baris berikutnya, sebelumnya', en: 'next, previous row' }],
  ['Enter', { id: 'membuka baris', en: 'open the row' }],
  ['?', { id: 'bantuan ini', en: 'this help' }],
];
