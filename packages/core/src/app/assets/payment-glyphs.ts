import type { PaymentGroup } from '../../contract/index.ts';

const finder = (x: number, y: number): string =>
  `<rect x="${x}" y="${y}" width="14" height="14" rx="3" fill="none" stroke="#ffffff" stroke-width="4"/>` +
  `<rect x="${x + 4.5}" y="${y + 4.5}" width="5" height="5" fill="#ffffff"/>`;

const dots = [
  [6, 6],
  [14, 6],
  [6, 14],
  [20, 14],
  [14, 20],
  [20, 20],
]
  .map(([x, y]) => `<rect x="${x}" y="${y}" width="5" height="5" rx="1" fill="#ffffff"/>`)
  .join('');

const pen = 'fill="none" stroke="#ffffff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"';

const line = (d: string): string => `<path d="${d}" ${pen}/>`;

/** A white sign for each group of payment methods, about 50 wide and high around the point 0 0. */
export const paymentGlyphs: Record<PaymentGroup, string> = {
  QRIS: [finder(-23, -23), finder(9, -23), finder(-23, 9), dots].join(''),
  'Virtual Account': line('M-24 -8L0 -24L24 -8ZM-16 -2V14M0 -2V14M16 -2V14M-24 22H24'),
  Retail: line(
    'M-20 -4V22H20V-4M-24 -22H24L27 -8A9 9 0 0 1 9 -8A9 9 0 0 1 -9 -8A9 9 0 0 1 -27 -8ZM-6 22V8H6V22',
  ),
  'E-Wallet':
    line('M-24 -12V14A7 7 0 0 0 -17 21H17A7 7 0 0 0 24 14V-4A7 7 0 0 0 17 -11H-17A7 7 0 0 1 -17 -22H14') +
    '<circle cx="13" cy="5" r="4" fill="#ffffff"/>',
  'Bank Transfer': line('M-22 -10H22M12 -20L22 -10L12 0M22 12H-22M-12 2L-22 12L-12 22'),
};
