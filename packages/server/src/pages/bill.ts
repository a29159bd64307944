import type { StoredOrder } from '@topup-kit/core/store';
import { html } from 'hono/html';
import { moneyWords, type Page, type PageTools } from './page-tools.ts';
import { paymentWords } from './payment-words.ts';

/** The lines of the bill; what is nothing is left out. */
export function bill(order: StoredOrder, { settings }: PageTools): Page {
  const words = paymentWords[settings.locale];
  const { pricing, target } = order;
  const line = (name: string, value: string, kind = ''): Page =>
    html`<div class="${kind}"><dt>${name}</dt><dd>${value}</dd></div>`;
  const optional = (name: string, amount: number): Page | string =>
    amount === 0 ? '' : line(name, moneyWords(amount, settings));
  const server = target.server === null ? '' : ` (${target.server})`;
  const unitPrice = moneyWords(pricing.unit_price_before_promo, settings);
  return html`<section aria-labelledby="details">
<h2 id="details">${words.details}</h2>
<dl>
${line(words.order, order.orderId)}
${line(words.account, target.id + server)}
${line(words.method, order.paymentMethod.name)}
${line(words.unitPrice, `${pricing.quantity} × ${unitPrice}`)}
${optional(words.discount, -pricing.promo_discount)}
${optional(words.fee, pricing.payment_fee)}
${optional(words.uniqueCode, pricing.unique_code)}
${line(words.total, moneyWords(pricing.total_price, settings), 'total')}
</dl>
</section>`;
}
