import { type AppSettings, codeGroups, languageHeaders, paymentCode, type Urls } from '@topup-kit/core/app';
import { formatMoney, paymentInstructions, paymentKinds, returnAddress } from '@topup-kit/core/contract';
import type { StoredOrder } from '@topup-kit/core/store';
import { type DisplayStatus, displayStatusOf, statusIcon, watchOf } from './display-status.ts';
import { html, htmlHeaders, inlineSource, type Markup, raw } from './html.ts';
import { paymentScript } from './payment-script.ts';
import { paymentStyle } from './payment-style.ts';
import { type PaymentTexts, pageActions, paymentTexts } from './payment-texts.ts';
import { linkBack, type Shop } from './shop-front.ts';

const headers = {
  ...htmlHeaders([
    `script-src ${inlineSource(paymentScript)}`,
    `style-src ${inlineSource(paymentStyle)}`,
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
  ]),
};

interface PaymentPageOptions {
  shop: Shop;
  /** Settings with the page's locale, which is the one that the request asks for. */
  settings: AppSettings;
  urls: Urls;
  /** World time in unix milliseconds. */
  now: number;
  /** True if the page belongs to a sandbox. It then has buttons, and a note that no real money is charged. */
  sandbox: boolean;
}

interface PageContext extends PaymentPageOptions {
  order: StoredOrder;
  status: DisplayStatus;
  texts: PaymentTexts;
  path: string;
  money: (amount: number) => Markup;
}

/** Returns the path of a payment page for browsers, including the path of the public URL. */
export const pagePath = (order: StoredOrder, urls: Urls): string => new URL(urls.page(order)).pathname;

/** Formats a time with its time zone: `28 Maret 2026 pukul 10.30 WIB`. */
function formatTime(time: number, { locale, timezone }: AppSettings): string {
  const format = (timeZoneName: 'short' | 'long'): string =>
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: timezone,
      timeZoneName,
    }).format(time);
  const short = format('short');
  // Intl returns an offset if a language has no short name for a time zone.
  return /GMT[+-]/.test(short) ? format('long') : short;
}

function codeToCopy({ texts }: PageContext, code: string): Markup {
  // Uses elements instead of spaces, so that the copied text has no gaps. Each serial number has its own line.
  const lines = code.split(', ').map((line) => {
    const groups = codeGroups(line);
    return html`<span class="code">${groups.length === 1 ? line : groups.map((group) => html`<span>${group}</span>`)}</span>`;
  });
  return html`${lines}
<div class="copy needs-script">
<button type="button" data-copy="${code}" data-copied="${texts.copied}" data-selected="${texts.selected}">${texts.copy}</button>
<p class="copied" role="status"></p>
</div>`;
}

function paymentTarget(context: PageContext): Markup | string {
  const { order, texts, urls } = context;
  if (order.payment.qrString !== null)
    return html`<img src="${new URL(urls.qrImage(order)).pathname}" alt="${texts.qrAlternative}" width="256" height="256">
<details class="as-text"><summary>${texts.qrAsText}</summary>
${codeToCopy(context, paymentCode(order))}
</details>`;
  return paymentKinds[order.paymentMethod.group].type === 'redirect'
    ? ''
    : codeToCopy(context, paymentCode(order));
}

/** Renders payment instructions and the deadline, while the order waits for its payment. */
function paySection(context: PageContext): Markup | string {
  const { order, status, texts, settings } = context;
  if (status !== 'waiting') return '';
  return html`<section class="pay" aria-labelledby="how-to-pay">
<h2 id="how-to-pay">${order.paymentMethod.name}</h2>
<p>${paymentInstructions[order.paymentMethod.group][settings.locale]}</p>
${paymentTarget(context)}
<p class="left needs-script">${texts.timeLeft} <span role="timer" data-part="countdown"></span></p>
<p class="deadline">${texts.payBefore} <time datetime="${new Date(order.expiresAt).toISOString()}">${formatTime(order.expiresAt, settings)}</time></p>
</section>`;
}

/** Renders the code that the customer redeems, or shows to the shop. */
function serialNumber(context: PageContext): Markup | string {
  const { order, texts, sandbox } = context;
  // The address of an earlier version's page contains the gateway's reference, so it can be guessed.
  const isSecret = sandbox || order.pageReference !== null;
  if (order.serialNumber === null || !isSecret) return '';
  return html`<section class="serial" aria-labelledby="serial-number">
<h2 id="serial-number">${texts.serialNumber}</h2>
${codeToCopy(context, order.serialNumber)}
</section>`;
}

/** Renders the link back: to the address in the order, and otherwise to the storefront. Its text names the target. */
function returnLink({ order, shop, status, texts }: PageContext): Markup | string {
  const address = returnAddress(order);
  const name = address === null ? shop.name : new URL(address).host;
  const kind = status === 'waiting' ? '' : 'button';
  return linkBack(address ?? shop.url, `${texts.backTo} ${name}`, kind);
}

/** Renders the order and its price, without amounts of 0. */
function priceBreakdown({ order, texts, money }: PageContext): Markup {
  const { pricing, target } = order;
  const line = (name: string, value: string | Markup, kind = ''): Markup =>
    html`<div class="${kind}"><dt>${name}</dt><dd>${value}</dd></div>`;
  const optional = (name: string, amount: number): Markup | string =>
    amount === 0 ? '' : line(name, money(amount));
  const server = target.server === null ? '' : ` (${target.server})`;
  return html`<section aria-labelledby="details">
<h2 id="details">${texts.details}</h2>
<dl>
${line(texts.order, order.orderId)}
${line(texts.account, target.id + server)}
${line(texts.method, order.paymentMethod.name)}
${line(texts.unitPrice, html`${pricing.quantity} × ${money(pricing.unit_price_before_promo)}`)}
${optional(texts.discount, -pricing.promo_discount)}
${optional(texts.fee, pricing.payment_fee)}
${optional(texts.uniqueCode, pricing.unique_code)}
${line(texts.total, money(pricing.total_price), 'total')}
</dl>
</section>`;
}

/** Renders a note that no real money is charged, and buttons while the order waits for its payment. */
function sandboxSection({ sandbox, status, texts, path }: PageContext): Markup | string {
  if (!sandbox) return '';
  const forms = pageActions.map(
    (action) =>
      html`<form method="post" action="${path}/${action}"><button>${texts.actions[action]}</button></form>`,
  );
  return html`<section class="sandbox" aria-labelledby="sandbox">
<h2 id="sandbox">Sandbox</h2>
<p>${texts.sandbox}</p>
${status === 'waiting' ? html`<div class="actions">${forms}</div>` : ''}
</section>`;
}

/** Renders a note to reload the page, because nothing else shows a change without JavaScript. */
const reloadNote = ({ status, texts, path }: PageContext): Markup | string =>
  watchOf[status] === 'always'
    ? html`<noscript><p class="reload">${texts.reload} <a href="${path}">${texts.reloadLink}</a></p></noscript>`
    : '';

/**
 * Renders the page on which a customer pays. Anyone with the unguessable address can open it, so it shows no phone
 * number and no e-mail address. Its script replaces the parts marked `data-part` when the order changes.
 */
export async function paymentPage(order: StoredOrder, options: PaymentPageOptions): Promise<Response> {
  const { settings, shop, urls, now } = options;
  const { currency, locale } = settings;
  const texts = paymentTexts[locale];
  const status = displayStatusOf(order);
  const path = pagePath(order, urls);
  const money = (amount: number): Markup =>
    html`<span class="money">${formatMoney(amount, currency, locale)}</span>`;
  const context: PageContext = { ...options, order, status, texts, path, money };
  const page = await html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${texts.statuses[status].title} · ${texts.title} ${order.orderId}</title>
<style>${raw(paymentStyle)}</style>
<script type="module">${raw(paymentScript)}</script>
</head>
<body>
<main data-status="${status}" data-state="${order.paymentStatus} ${order.buyStatus}" data-watch="${watchOf[status]}" data-left="${order.expiresAt - now}" data-status-path="${path}/status">
${shop.name === null ? '' : html`<p class="shop">${shop.name}</p>`}
<h1>${order.product.title}</h1>
<p>${order.game.title}</p>
<div class="status" role="status" tabindex="-1" data-part="status">${statusIcon(status)}
<div><strong>${texts.statuses[status].title}</strong><p>${texts.statuses[status].text}</p></div></div>
<p class="connection-error" role="status" data-part="connection-error" data-text="${texts.connectionError}"></p>
<div data-part="reload">${reloadNote(context)}</div>
<p class="amount"><span class="label">${texts.total}</span> ${money(order.pricing.total_price)}</p>
<div data-part="pay">${paySection(context)}</div>
<div data-part="serial">${serialNumber(context)}</div>
<div data-part="return">${returnLink(context)}</div>
${priceBreakdown(context)}
<div data-part="sandbox">${sandboxSection(context)}</div>
</main>
</body>
</html>`;
  return new Response(String(page), { headers: { ...headers, ...languageHeaders(locale) } });
}
