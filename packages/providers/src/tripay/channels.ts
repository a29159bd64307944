/** Payment channel, for the adapter and the simulator. Amounts are in rupiah, times in minutes. */
export interface Channel {
  group: string;
  code: string;
  name: string;
  /** Wallets of the type `redirect` have a `pay_url`; others have a code or a QR code. */
  type: 'direct' | 'redirect';
  flat: number;
  percent: number;
  minAmount: number;
  maxAmount: number;
  minMinutes: number;
  maxMinutes: number;
  needsPhone?: true;
  qr?: true;
}

const virtualAccount = (code: string, name: string, minMinutes: number, maxMinutes: number): Channel => ({
  group: 'Virtual Account',
  code,
  name,
  type: 'direct',
  flat: 4250,
  percent: 0,
  minAmount: 10_000,
  maxAmount: 10_000_000,
  minMinutes,
  maxMinutes,
});

const qris = (code: string, name: string, maxMinutes: number): Channel => ({
  group: 'E-Wallet',
  code,
  name,
  type: 'direct',
  flat: 750,
  percent: 0.7,
  qr: true,
  minAmount: 1000,
  maxAmount: 5_000_000,
  minMinutes: 10,
  maxMinutes,
});

const retail = (code: string, name: string): Channel => ({
  group: 'Convenience Store',
  code,
  name,
  type: 'direct',
  flat: 3500,
  percent: 0,
  minAmount: 10_000,
  maxAmount: 2_500_000,
  minMinutes: 10,
  maxMinutes: 1440,
});

const wallet = (code: string, name: string): Channel => ({
  group: 'E-Wallet',
  code,
  name,
  type: 'redirect',
  flat: 0,
  percent: 3,
  needsPhone: true,
  minAmount: 1000,
  maxAmount: 10_000_000,
  minMinutes: 15,
  maxMinutes: 60,
});

/** All channels. Times are Tripay's if it documents them: QRIS, wallets, BSI, Muamalat and BNI. */
export const channels: readonly Channel[] = [
  qris('QRIS', 'QRIS by ShopeePay', 60),
  qris('QRIS2', 'QRIS', 1440),
  qris('QRISC', 'QRIS (Customizable)', 1440),
  virtualAccount('BNIVA', 'BNI Virtual Account', 10, 1440),
  virtualAccount('BRIVA', 'BRI Virtual Account', 10, 1440),
  virtualAccount('BCAVA', 'BCA Virtual Account', 10, 1440),
  virtualAccount('MANDIRIVA', 'Mandiri Virtual Account', 10, 1440),
  virtualAccount('BSIVA', 'BSI Virtual Account', 60, 180),
  virtualAccount('MUAMALATVA', 'Muamalat Virtual Account', 60, 180),
  retail('ALFAMART', 'Alfamart'),
  retail('INDOMARET', 'Indomaret'),
  wallet('DANA', 'DANA'),
  wallet('SHOPEEPAY', 'ShopeePay'),
];
