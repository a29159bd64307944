import { formatMoney } from '@topup-kit/core/contract';

/** `Rp 22,000`; the wire says no currency, and the services of this family take rupiah. */
export const money = (amount: number): string => formatMoney(amount, 'IDR', 'en');
