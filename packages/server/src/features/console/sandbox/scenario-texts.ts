import type { Scenario } from '@topup-kit/core/engine';

/** What each scenario does, in Indonesian; in English, the words are those of `GET /sandbox`. */
export const scenarioTexts: Readonly<Record<Scenario, string>> = {
  none: 'semuanya berjalan normal',
  'supplier-fails': 'pemasok menolak setiap item: pesanan yang dibayar menjadi Gagal',
  'supplier-down': 'pemasok tidak menjawab: pesanan yang dibayar tetap Proses',
  'gateway-down': 'pembayaran tidak bisa dibuat: POST /order menjawab 500',
  'rate-limited': 'setiap panggilan melewati batas: 429 dengan Retry-After: 1',
  slow: 'setiap jawaban butuh tiga detik',
  flaky: 'setiap panggilan ketiga gagal dengan 503',
  maintenance: 'setiap panggilan gagal dengan 503',
  offline: 'tanpa jawaban: koneksi diputus',
};
