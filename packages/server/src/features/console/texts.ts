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

/** Words of several pages; `View.words` adds them to the texts of each page. */
export const sharedTexts = {
  all: { id: 'Semua', en: 'All' },
  account: { id: 'Akun', en: 'Account' },
  amount: { id: 'Jumlah', en: 'Amount' },
  code: { id: 'Kode', en: 'Code' },
  copy: { id: 'Salin', en: 'Copy' },
  cost: { id: 'Modal', en: 'Cost' },
  customer: { id: 'Pelanggan', en: 'Customer' },
  delivered: { id: 'Terkirim', en: 'Delivered' },
  events: { id: 'Peristiwa', en: 'Events' },
  game: { id: 'Game', en: 'Game' },
  margin: { id: 'Margin', en: 'Margin' },
  method: { id: 'Metode', en: 'Method' },
  of: { id: 'dari', en: 'of' },
  order: { id: 'Pesanan', en: 'Order' },
  orders: { id: 'Pesanan', en: 'Orders' },
  paid: { id: 'Dibayar', en: 'Paid' },
  partial: {
    id: 'Penjualan lama masih dijumlahkan; angka naik sampai selesai.',
    en: 'Earlier sales are still being added up; the figures grow until that is done.',
  },
  phone: { id: 'WhatsApp', en: 'WhatsApp' },
  placed: { id: 'Dibuat', en: 'Placed' },
  price: { id: 'Harga', en: 'Price' },
  product: { id: 'Produk', en: 'Product' },
  profit: { id: 'Laba', en: 'Profit' },
  reference: { id: 'Referensi', en: 'Reference' },
  show: { id: 'Tampilkan', en: 'Show' },
  state: { id: 'Status', en: 'State' },
  today: { id: 'Hari ini', en: 'Today' },
  total: { id: 'Total', en: 'Total' },
  turnover: { id: 'Omzet', en: 'Turnover' },
  when: { id: 'Waktu', en: 'When' },
  yesterday: { id: 'Kemarin', en: 'Yesterday' },
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
