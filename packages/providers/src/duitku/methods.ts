/** Payment method of Duitku, for the adapter and the simulator. */
export interface DuitkuMethod {
  /** Code that Duitku uses. */
  code: string;
  name: string;
  /** Maximum time to pay, in minutes. */
  maxMinutes: number;
  /** The customer pays with a number, a QR code, or on Duitku's page. */
  paysBy: 'number' | 'qr' | 'page';
}

const virtualAccount = (code: string, bank: string): DuitkuMethod => ({
  code,
  name: `${bank} Virtual Account`,
  maxMinutes: 1_440,
  paysBy: 'number',
});

const qris: DuitkuMethod = { code: 'SP', name: 'QRIS', maxMinutes: 60, paysBy: 'qr' };

/** Payment methods by their codes in a catalogue. Times are the longest that Duitku allows. */
export const methods: ReadonlyMap<string, DuitkuMethod> = new Map(
  Object.entries<DuitkuMethod>({
    QRIS: qris,
    QRIS2: qris,
    QRISC: qris,
    BCAVA: virtualAccount('BC', 'BCA'),
    BNIVA: virtualAccount('I1', 'BNI'),
    BRIVA: virtualAccount('BR', 'BRI'),
    MANDIRIVA: virtualAccount('M2', 'Mandiri'),
    BSIVA: virtualAccount('BV', 'BSI'),
    ALFAMART: { code: 'FT', name: 'Alfamart', maxMinutes: 1_440, paysBy: 'number' },
    INDOMARET: { code: 'IR', name: 'Indomaret', maxMinutes: 1_440, paysBy: 'number' },
    DANA: { code: 'DA', name: 'DANA', maxMinutes: 1_440, paysBy: 'page' },
    SHOPEEPAY: { code: 'SA', name: 'ShopeePay', maxMinutes: 60, paysBy: 'page' },
  }),
);
