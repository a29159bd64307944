import { withoutTimes } from './screens.ts';

/** The order of the interface's example, with known prices. */
export const fixtureOrder = [
  ...['orders', 'create', '--game', 'mobile-legends', '--product', '901', '--payment-method', '12'],
  ...['--id', '12345678', '--server', '2012', '--whatsapp', '081234567890'],
  ...['--promo', 'RAMADAN10', '--quantity', '2'],
];

/** Replaces what differs between orders. */
export const steady = (text: string): string =>
  withoutTimes(text)
    .replaceAll(/INV-\d{14}-[A-Z]{8}/g, '<order id>')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/pay\/\w+/g, '<page>')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '<server>');

export const orderIdIn = (text: string): string => /INV-\d+-[A-Z]{8}/.exec(text)?.[0] ?? 'none';
export const baseUrlIn = (text: string): string => /http:\/\/127\.0\.0\.1:\d+\/api/.exec(text)?.[0] ?? 'none';
