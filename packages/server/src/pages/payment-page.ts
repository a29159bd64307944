import type { StoredOrder } from '@topup-kit/core/store';
import { html, raw } from 'hono/html';
import { bill } from './bill.ts';
import { inlineSource } from './inline-source.ts';
import { faceOf, watchOf } from './order-face.ts';
import { moneyWords, type Page, type PageTools, pagePath } from './page-tools.ts';
import { paySection } from './pay-section.ts';
import { paymentScript } from './payment-script.ts';
import { paymentStyle } from './payment-style.ts';
import { paymentWords } from './payment-words.ts';
import { sandboxSection } from './sandbox-section.ts';
import { statusIcon } from './status-icon.ts';

const policy = [
  "default-src 'none'",
  `script-src ${inlineSource(paymentScript)}`,
  `style-src ${inlineSource(paymentStyle)}`,
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The line for those whose browser runs no script: the page can't renew itself. */
const reloadNote = (order: StoredOrder, { settings, urls }: PageTools): Page | string =>
  watchOf[faceOf(order)] === 'steadily'
    ? html`<noscript><p class="reload">${paymentWords[settings.locale].reload} <a href="${pagePath(order, urls)}">${paymentWords[settings.locale].reloadLink}</a></p></noscript>`
    : '';

/**
 * The page that a customer pays on. Whoever knows its unguessable address may read it, so it shows no phone number
 * and no e-mail address. Its script replaces the parts marked `data-part` when the order changes.
 */
export async function paymentPage(order: StoredOrder, tools: PageTools): Promise<Response> {
  const { settings, urls } = tools;
  const words = paymentWords[settings.locale];
  const face = faceOf(order);
  const page = await html`<!doctype html>
<html lang="${settings.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.faces[face].title} · ${words.title} ${order.orderId}</title>
<style>${raw(paymentStyle)}</style>
<script type="module">${raw(paymentScript)}</script>
</head>
<body>
<main data-face="${face}" data-state="${order.paymentStatus} ${order.buyStatus}" data-watch="${watchOf[face]}" data-left="${order.expiresAt - tools.now}" data-status-path="${pagePath(order, urls)}/status">
<h1>${order.product.title}</h1>
<p>${order.game.title}</p>
<div class="status" role="status" tabindex="-1" data-part="status">${statusIcon(face)}
<div><strong>${words.faces[face].title}</strong><p>${words.faces[face].says}</p></div></div>
<p class="trouble" role="status" data-part="trouble" data-words="${words.trouble}"></p>
<div data-part="reload">${reloadNote(order, tools)}</div>
<p class="amount"><span>${words.total}</span> ${moneyWords(order.pricing.total_price, settings)}</p>
<div data-part="pay">${paySection(order, tools)}</div>
${bill(order, tools)}
<div data-part="sandbox">${sandboxSection(order, tools)}</div>
</main>
</body>
</html>`;
  return new Response(String(page), { headers });
}
