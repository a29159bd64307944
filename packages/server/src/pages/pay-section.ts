import type { StoredOrder } from '@topup-kit/core/store';
import { html } from 'hono/html';
import { momentWords } from './moment-words.ts';
import { faceOf } from './order-face.ts';
import type { Page, PageTools } from './page-tools.ts';
import { paymentWords } from './payment-words.ts';

const qrPicture = ({ payment }: StoredOrder, { settings, urls }: PageTools): Page =>
  html`<img src="${new URL(urls.qrImage(payment)).pathname}" alt="${paymentWords[settings.locale].qrAlternative}" width="256" height="256">`;

/** Numbers to type are set in fours for people; what is copied out of them has no gaps. */
const grouped = (code: string): Page[] | string =>
  /^\d+$/.test(code) ? (code.match(/.{1,4}/g) ?? []).map((digits) => html`<span>${digits}</span>`) : code;

function codeToCopy({ payment }: StoredOrder, { settings }: PageTools): Page {
  const words = paymentWords[settings.locale];
  const code = payment.code ?? payment.reference;
  return html`<span class="code">${grouped(code)}</span>
<div class="copy needs-script">
<button type="button" data-copy="${code}" data-copied="${words.copied}" data-selected="${words.selected}">${words.copy}</button>
<p class="copied" role="status"></p>
</div>`;
}

function payTo(order: StoredOrder, tools: PageTools): Page | string {
  if (order.payment.qrString !== null)
    return html`${qrPicture(order, tools)}
<details class="as-text"><summary>${paymentWords[tools.settings.locale].qrAsText}</summary>
${codeToCopy(order, tools)}
</details>`;
  return order.paymentMethod.group === 'E-Wallet' ? '' : codeToCopy(order, tools);
}

/** What the customer pays to and until when, while there is something to pay. */
export function paySection(order: StoredOrder, tools: PageTools): Page | string {
  if (faceOf(order) !== 'waiting') return '';
  const { settings } = tools;
  const words = paymentWords[settings.locale];
  return html`<section class="pay" aria-labelledby="how-to-pay">
<h2 id="how-to-pay">${order.paymentMethod.name}</h2>
<p>${words.payTo[order.paymentMethod.group]}</p>
${payTo(order, tools)}
<p class="left needs-script">${words.timeLeft} <span role="timer" data-part="countdown"></span></p>
<p class="deadline">${words.payBefore} <time datetime="${new Date(order.expiresAt).toISOString()}">${momentWords(order.expiresAt, settings)}</time></p>
</section>`;
}
