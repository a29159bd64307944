/** Deliberate failures of orders, by the scenario's name. */
export const orderScenarios = {
  'payment-declined': 'payments fail: orders become FAILED when they are paid',
  'supplier-fails': 'the supplier rejects every item: paid orders become Gagal',
  'supplier-down': 'the supplier does not respond: paid orders stay Proses',
  'gateway-down': 'no payment can be created: POST /order returns 500',
} as const;

/** Deliberate failures of any operation, by the scenario's name. */
export const callScenarios = {
  'rate-limited': 'every call exceeds the rate limit: 429 with Retry-After: 1',
  slow: 'every response takes three seconds',
  flaky: 'every third call to an operation fails with 503',
  maintenance: 'every call fails with 503',
  offline: 'no response: the connection is cut, a network error',
} as const;

/** The sandbox's scenarios, with their texts in `GET /sandbox`. */
export const sandboxScenarios = {
  none: 'everything works',
  ...orderScenarios,
  ...callScenarios,
} as const;

export type Scenario = keyof typeof sandboxScenarios;

export const isScenario = (name: string): name is Scenario => Object.hasOwn(sandboxScenarios, name);

/** The Indonesian text of each scenario. */
export const indonesianScenarios: Readonly<Record<Scenario, string>> = {
  none: 'semuanya berjalan normal',
  'payment-declined': 'pembayaran gagal: pesanan menjadi FAILED saat dibayar',
  'supplier-fails': 'pemasok menolak setiap item: pesanan yang dibayar menjadi Gagal',
  'supplier-down': 'pemasok tidak menjawab: pesanan yang dibayar tetap Proses',
  'gateway-down': 'pembayaran tidak bisa dibuat: POST /order menjawab 500',
  'rate-limited': 'setiap panggilan melewati batas: 429 dengan Retry-After: 1',
  slow: 'setiap jawaban butuh tiga detik',
  flaky: 'setiap panggilan ketiga gagal dengan 503',
  maintenance: 'setiap panggilan gagal dengan 503',
  offline: 'tanpa jawaban: koneksi diputus',
};
