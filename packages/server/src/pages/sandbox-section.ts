import type { StoredOrder } from '@topup-kit/core/store';
import { html } from 'hono/html';
import { faceOf } from './order-face.ts';
import { type Page, type PageTools, pagePath } from './page-tools.ts';
import { paymentWords } from './payment-words.ts';
import { pageActions } from './sandbox-actions.ts';

/** The buttons of a sandbox, while there is something to pay, and that no real money moves. */
export function sandboxSection(order: StoredOrder, { settings, urls, sandbox }: PageTools): Page | string {
  if (!sandbox) return '';
  const words = paymentWords[settings.locale];
  const forms = pageActions.map(
    (action) =>
      html`<form method="post" action="${pagePath(order, urls)}/${action}"><button>${words.actions[action]}</button></form>`,
  );
  return html`<section class="sandbox" aria-labelledby="sandbox">
<h2 id="sandbox">Sandbox</h2>
<p>${words.sandbox}</p>
${faceOf(order) === 'waiting' ? html`<div class="actions">${forms}</div>` : ''}
</section>`;
}
