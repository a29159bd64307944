import type { Style } from './look.ts';

const styles: Readonly<Record<string, Style>> = {
  PAID: 'good',
  Sukses: 'good',
  UNPAID: 'waiting',
  Pending: 'waiting',
  Proses: 'waiting',
  EXPIRED: 'bad',
  FAILED: 'bad',
  Batal: 'bad',
  Gagal: 'bad',
};

/** How a status of an order is shown; one that nobody knows has no style. */
export const statusStyle = (status: string): Style | undefined => styles[status];
