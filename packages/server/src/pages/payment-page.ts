import type { AppSettings, Urls } from '@topup-kit/core/app';
import { formatMoney } from '@topup-kit/core/contract';
import type { StoredOrder } from '@topup-kit/core/store';
import { html, raw } from 'hono/html';
import { paymentStyle, paymentStyleSource } from './payment-style.ts';
import { paymentWords } from './payment-words.ts';

interface PageTools {
  settings: AppSettings;
  urls: Urls;
  /** Whether the page must say that no real money moves. */
  sandbox: boolean;
}

type Page = ReturnType<typeof html>;

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; img-src 'self'; style-src ${paymentStyleSource}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

function deadline(order: StoredOrder, { locale, timezone }: AppSettings): Page {
  const words = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: timezone,
  });
  return html`<time datetime="${new Date(order.expiresAt).toISOString()}">${words.format(order.expiresAt)}</time>`;
}

/** What the customer pays to, while there is something to pay. */
function payTo(order: StoredOrder, { settings, urls }: PageTools): Page | string {
  const words = paymentWords[settings.locale];
  const { payment, paymentMethod } = order;
  if (order.paymentStatus !== 'UNPAID') return '';
  const shown =
    payment.qrString === null
      ? html`<span class="code">${payment.code ?? payment.reference}</span>`
      : html`<img src="${new URL(urls.qrImage(payment)).pathname}" alt="${words.qrAlternative}" width="256" height="256">`;
  return html`<section class="pay">
<p>${words.payTo[paymentMethod.group]}</p>
${paymentMethod.group === 'E-Wallet' ? '' : shown}
<p>${words.payBefore} ${deadline(order, settings)}</p>
</section>`;
}

/** The lines of the bill; what is nothing is left out. */
function bill(order: StoredOrder, { settings }: PageTools): Page {
  const words = paymentWords[settings.locale];
  const { pricing } = order;
  const money = (amount: number): string => formatMoney(amount, settings.currency, settings.locale);
  const line = (name: string, value: string, kind = ''): Page =>
    html`<div class="${kind}"><dt>${name}</dt><dd>${value}</dd></div>`;
  const optional = (name: string, amount: number): Page | string =>
    amount === 0 ? '' : line(name, money(amount));
  const server = order.target.server === null ? '' : ` (${order.target.server})`;
  return html`<dl>
${line(words.order, order.orderId)}
${line(words.account, order.target.id + server)}
${line(words.method, order.paymentMethod.name)}
${line(words.unitPrice, `${pricing.quantity} × ${money(pricing.unit_price_before_promo)}`)}
${optional(words.discount, -pricing.promo_discount)}
${optional(words.fee, pricing.payment_fee)}
${optional(words.uniqueCode, pricing.unique_code)}
${line(words.total, money(pricing.total_price), 'total')}
</dl>`;
}

/**
 * The page that a customer pays on. Whoever knows its unguessable address may read it, so it shows no phone number
 * and no e-mail address.
 */
export async function paymentPage(order: StoredOrder, tools: PageTools): Promise<Response> {
  const { locale, currency } = tools.settings;
  const words = paymentWords[locale];
  const status =
    order.paymentStatus === 'PAID'
      ? words.buyStatus[order.buyStatus]
      : words.paymentStatus[order.paymentStatus];
  const page = await html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.title} ${order.orderId}</title>
<style>${raw(paymentStyle)}</style>
</head>
<body>
<main>
<h1>${order.product.title}</h1>
<p>${order.game.title}</p>
<p class="status" role="status">${status}</p>
<p class="amount">${formatMoney(order.pricing.total_price, currency, locale)}</p>
${payTo(order, tools)}
${bill(order, tools)}
${tools.sandbox ? html`<p class="note">${words.sandbox}</p>` : ''}
</main>
</body>
</html>`;
  return new Response(String(page), { headers });
}
