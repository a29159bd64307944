import type { Localised } from '../contract/index.ts';

/** The texts of one kind of alert, and an operator's next steps. docs/runbook.md has the same texts and more; a test compares them. */
export interface AlertDescription {
  /** Its subject, and its sentences for one and for several subjects; `#` is replaced by the number and the subject. */
  sentences?: readonly [noun: string, one: string, several: string];
  /** Its Indonesian sentence; `#` is replaced by the number. */
  indonesian: string;
  advice: Localised;
  /**
   * Helpful `topup` commands, in this order. The alert's names replace `<order-id>`, `<payment>`, `<refund>` and `<callback-id>`; the
   * operator fills in all other words in brackets.
   */
  commands: readonly string[];
  /** The name of its check in `topup doctor`. */
  check: string;
  /** The console's pages for all its subjects and for one subject; null if the operator must act at a provider. */
  place: { all: string; one: string } | null;
}

const showOrder = 'orders show <order-id> --history';
const markDelivered = "orders mark <order-id> --delivered --note '<how you know>'";
const markFailed = "orders mark <order-id> --failed --note '<how you know>'";

/** Alerts about the house's data, in the order of docs/runbook.md. */
export const houseAlerts = {
  'waiting-for-balance': {
    sentences: [
      'paid order',
      '# waits for a deposit at the supplier',
      '# wait for a deposit at the supplier',
    ],
    indonesian: '# pesanan yang sudah dibayar menunggu deposit di pemasok',
    advice: {
      id: 'Isi deposit di pemasok. Server mengetahuinya dalam hitungan detik dan mengirim pesanan. Untuk mencoba satu pesanan sekarang, kirim ulang.',
      en: 'Deposit money at the supplier. The server notices it within seconds and delivers the orders. Retry an order to deliver it immediately.',
    },
    commands: ['orders retry <order-id>'],
    check: 'waiting',
    place: { all: '/orders?problem=unfunded', one: '/orders/{name}' },
  },
  'stuck-orders': {
    sentences: [
      'order',
      '# has been in delivery for over 15 minutes, or its outcome is unknown',
      '# have been in delivery for over 15 minutes, or their outcomes are unknown',
    ],
    indonesian: '# pesanan sudah dikirim lebih dari 15 menit tanpa hasil, atau hasilnya tidak diketahui',
    advice: {
      id: 'Lihat penyebabnya di riwayat pesanan. Jika barang menunggu dibeli, server mencoba lagi secara otomatis; untuk mencoba sekarang, kirim ulang pesanannya. Jika pemasok sedang gangguan, tunggu: server terus menanyakan hasilnya. Jika hasilnya tidak diketahui, tanyakan ke pemasok lalu tandai pesanannya.',
      en: "Look at the order's history for the cause. If an item is waiting to be bought, the server retries it automatically; to try immediately, retry the order. If the supplier is down, wait: the server keeps checking the outcome. If the outcome is unknown, ask the supplier what was delivered, and mark the order.",
    },
    commands: [showOrder, 'orders retry <order-id>', markDelivered, markFailed],
    check: 'stuck',
    place: { all: '/orders?problem=stuck', one: '/orders/{name}' },
  },
  'failed-deliveries': {
    sentences: [
      'paid order',
      '# could not be delivered and needs a retry or a refund',
      '# could not be delivered and need a retry or a refund',
    ],
    indonesian:
      '# pesanan yang sudah dibayar gagal dikirim dan perlu dikirim ulang atau dikembalikan dananya',
    advice: {
      id: 'Lihat alasan pemasok. Jika bisa diperbaiki, perbaiki lalu kirim ulang pesanannya. Jika tidak, kembalikan uangnya dan catat.',
      en: "Read the supplier's reason. If you can fix the cause, fix it and retry the order. Otherwise pay the customer back, and record the refund.",
    },
    commands: [showOrder, 'orders retry <order-id>', "refunds create <order-id> --note '<how>'"],
    check: 'failed',
    place: { all: '/orders?payment=PAID&delivery=Gagal', one: '/orders/{name}' },
  },
  contradictions: {
    sentences: [
      'order',
      'The supplier contradicted the outcome of #, so it is unclear what was delivered',
      'The supplier contradicted the outcomes of #, so it is unclear what was delivered',
    ],
    indonesian: 'Pemasok membantah hasil # pesanan, jadi tidak jelas apa yang terkirim',
    advice: {
      id: 'Tanyakan ke pemasok laporan mana yang benar, lalu tandai pesanannya. Sebelum itu, jangan kirim ulang pesanannya dan jangan kembalikan dananya.',
      en: "Ask the supplier which of its reports is correct, and mark the order. Until then, don't retry or refund it.",
    },
    commands: [showOrder, markDelivered, markFailed],
    check: 'contradicted',
    place: { all: '/orders?problem=contradicted', one: '/orders/{name}' },
  },
  'money-without-an-order': {
    sentences: [
      'payment',
      '# matches no order and must be settled or returned',
      '# match no order and must be settled or returned',
    ],
    indonesian: '# pembayaran tidak cocok dengan pesanan mana pun dan harus diselesaikan atau dikembalikan',
    advice: {
      id: 'Periksa di dasbor gateway apakah uangnya benar-benar masuk. Lalu selesaikan pembayarannya agar pesanan dikirim, atau kembalikan uangnya.',
      en: "Check in the gateway's dashboard that the money arrived. Then settle the payment to deliver the order, or pay the money back.",
    },
    commands: ['payments list', 'payments settle <payment>', "payments return <payment> --note '<how>'"],
    check: 'money',
    place: { all: '/payments', one: '/payments#payment-{name}' },
  },
  'refunded-payments': {
    sentences: [
      'payment',
      'The gateway refunded # fully or partly, but its order does not show the refund',
      'The gateway refunded # fully or partly, but their orders do not show the refunds',
    ],
    indonesian:
      'Gateway mengembalikan # pembayaran, seluruhnya atau sebagian, dan pesanannya belum mencatatnya',
    advice: {
      id: 'Lihat di dasbor gateway berapa yang dikembalikan dan mengapa. Server tetap mengirim barang yang belum terkirim, kecuali Anda menandainya gagal.',
      en: "Check in the gateway's dashboard how much it paid back, and why. The server still delivers the order's open items, unless you mark them as failed.",
    },
    commands: ['payments list', "payments return <payment> --note '<what you did>'"],
    check: 'refunded',
    place: { all: '/payments', one: '/payments#payment-{name}' },
  },
  'unpaid-refunds': {
    sentences: [
      'refund',
      '# has been waiting for over a day to be paid by hand',
      '# have been waiting for over a day to be paid by hand',
    ],
    indonesian: '# pengembalian dana belum dibayar selama lebih dari sehari',
    advice: {
      id: 'Bayar kembali kepada pelanggan, lalu catat. Batalkan pengembalian dana yang ternyata tidak perlu.',
      en: 'Pay the customers back through the gateway or by transfer, and record each refund. Cancel a refund that is not owed.',
    },
    commands: [
      'refunds list',
      "refunds paid <refund> --reference '<number of the transfer>'",
      "refunds cancel <refund> --note '<why>'",
    ],
    check: 'refunds',
    place: { all: '/payments#refunds', one: '/payments#refund-{name}' },
  },
  'unclear-payments': {
    sentences: [
      'order',
      'The gateway has not confirmed or denied the payment of # for over 5 minutes',
      'The gateway has not confirmed or denied the payments of # for over 5 minutes',
    ],
    indonesian: 'Pembayaran # pesanan belum dipastikan gateway selama lebih dari 5 menit',
    advice: {
      id: 'Server terus menanyakannya ke gateway: lihat log. Jika gateway normal dan dasbornya tidak memuat pembayaran itu, lepaskan pesanannya.',
      en: 'The server keeps asking the gateway; its log shows the attempts. If the gateway works and its dashboard has no payment for the order, give up the order.',
    },
    commands: ["orders abandon <order-id> --note '<what you found>'"],
    check: 'unclear',
    place: { all: '/payments#unclear', one: '/orders/{name}' },
  },
  'low-balance': {
    indonesian: 'Saldo di pemasok rendah',
    advice: {
      id: 'Isi deposit di pemasok agar pesanan tidak perlu menunggu.',
      en: 'Deposit money at the supplier before orders have to wait.',
    },
    commands: [],
    check: 'balance',
    place: null,
  },
  'products-below-cost': {
    sentences: [
      'product',
      '# costs more than its price and is closed',
      '# cost more than their prices and are closed',
    ],
    indonesian: '# produk harganya di bawah modal dan ditutup',
    advice: {
      id: 'Jalankan sinkronisasi: harga yang mengikuti aturan margin dinaikkan, dan produknya dibuka kembali. Dengan TOPUP_SYNC_MINUTES=1 server melakukannya setelah setiap daftar. Naikkan sendiri harga yang terkunci.',
      en: 'Run a sync: it raises prices that follow a margin rule, and reopens their products. With TOPUP_SYNC_MINUTES=1, the server syncs after each list. Raise locked prices by hand.',
    },
    commands: ['catalog sync --yes', 'catalog set-price <code> <rupiah>'],
    check: 'cost',
    place: { all: '/catalog?state=loses', one: '/catalog?q={name}' },
  },
  'rejected-requests': {
    indonesian: 'Permintaan ke penyedia gagal',
    advice: {
      id: 'Jika penyedia sedang gangguan (tidak menjawab, atau status 500 ke atas), tunggu, atau tutup metode pembayaran atau produknya. Jika tidak, bandingkan kunci, URL, dan alamat IP yang diizinkan dengan yang ada di dasbor penyedia. Pesanan yang sudah dibayar menunggu sampai saat itu. Peringatan ini hilang begitu permintaan berikutnya berhasil.',
      en: "If the provider is down (no response, or a status from 500 up), wait, or close its payment methods or products. Otherwise compare the keys, the base URL and the allowed addresses with the provider's dashboard. Paid orders wait until then. The alert ends when the next request of this kind succeeds.",
    },
    commands: [],
    check: 'requests',
    place: null,
  },
  'overdue-backup': {
    indonesian: 'Tidak ada cadangan penyimpanan yang tercatat, atau yang terakhir sudah terlalu lama',
    advice: {
      id: 'Buat cadangan sekarang dan salin ke mesin lain. Lalu cari tahu mengapa cadangan terjadwal tidak dibuat.',
      en: 'Make a backup now, and copy it to another machine. Then find out why the scheduled backup was not made.',
    },
    commands: ['backup <file>'],
    check: 'backup',
    place: null,
  },
} as const satisfies Record<string, AlertDescription>;

/** Alerts about requests that servers count. The servers share their counts. */
export const limitAlerts = {
  'rejected-by-limits': {
    indonesian: 'Batas permintaan menolak # permintaan',
    advice: {
      id: 'Pelanggan kunci ini mendapat "Too Many Attempts." Beri situs dengan banyak pelanggan kunci yang dibuat dengan --trusted, dan sebutkan alamat pelanggan di X-Topup-Customer-IP pada setiap permintaan. Atau naikkan TOPUP_READS_PER_MINUTE atau TOPUP_ORDERS_PER_MINUTE. Jika hanya satu pelanggan yang terlalu sering mengirim, biarkan.',
      en: 'Customers of these keys got the error "Too Many Attempts." If one site serves many customers, create a key for it with --trusted, and let it send each customer\'s address in X-Topup-Customer-IP. Otherwise raise TOPUP_READS_PER_MINUTE or TOPUP_ORDERS_PER_MINUTE. If a single customer sends too much, do nothing.',
    },
    commands: [],
    check: 'limits',
    place: null,
  },
} as const satisfies Record<string, AlertDescription>;
