import { createHash } from 'node:crypto';
import { baseStyles, colorTokens } from '@topup-kit/core/styles';
import { html, raw } from 'hono/html';
import { renderSVG } from 'uqr';
import type { PlannedFault } from './faults.ts';
import type { Call } from './journal.ts';
import type { NamedSimulator, PagePayment } from './simulator.ts';

type Markup = ReturnType<typeof html>;

const style = `${colorTokens}${baseStyles}
body { margin: 0 auto; padding: 0 1rem 2rem; max-width: 72rem; background: var(--ground); color: var(--ink); font: 0.9375rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
section { margin: 1rem 0 0; padding: 1rem 1.1rem; background: var(--paper); border: 1px solid var(--line); border-radius: 0.75rem; }
.money { white-space: nowrap; }
table { min-width: 36rem; }
form { display: inline-block; margin: 0.25rem 0.5rem 0.25rem 0; }
.qr svg { display: block; width: 12rem; max-width: 100%; height: auto; }
`;

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  // Without a referrer, browsers would send the origin `null` with the forms of these pages.
  'Referrer-Policy': 'same-origin',
};

async function page(title: string, main: Markup, status = 200): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<header><a class="brand" href="/">Topup Kit</a><span class="badge busy">simulators</span></header>
<main>${main}</main>
</body>
</html>`;
  return new Response(String(text), { status, headers });
}

/** Formats an amount without line breaks. */
const rupiah = (amount: number): Markup =>
  html`<span class="money">Rp ${amount.toLocaleString('id-ID')}</span>`;

/** Maximum number of calls on the page. `/control/books` has all calls. */
const shownCalls = 100;

const paymentRow = ({ name }: NamedSimulator, payment: PagePayment): Markup => html`<tr>
<td><a href="/pay/${name}/${encodeURIComponent(payment.reference)}">${payment.reference}</a></td>
<td>${payment.merchantRef}</td><td>${payment.method}</td><td>${rupiah(payment.amount)}</td><td>${payment.status}</td></tr>`;

const callRow = (call: Call): Markup => html`<tr>
<td>${new Date(call.at).toISOString().slice(11, 19)}</td>
<td>${call.provider}</td><td>${call.direction}</td>
<td>${call.operation}${call.attempt > 1 ? html` (attempt ${call.attempt})` : ''}</td><td>${call.status ?? 'none'}</td>
<td><details><summary>${call.method} ${call.url}</summary><pre>${call.body}</pre><pre>${call.response}</pre></details></td></tr>`;

function providerSection(simulator: NamedSimulator): Markup {
  const payments = simulator.payments().toReversed();
  return html`<section>
<h2>${simulator.title}</h2>
<p><code>${simulator.basePath}</code> · <a href="/control/books/${simulator.name}">books</a></p>
${
  payments.length === 0
    ? ''
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Payments of ${simulator.title}"><table>
<thead><tr><th scope="col">Reference</th><th scope="col">Order</th><th scope="col">Method</th><th scope="col">Amount</th><th scope="col">Status</th></tr></thead>
<tbody>${payments.map((payment) => paymentRow(simulator, payment))}</tbody></table></div>`
}
</section>`;
}

export function mainPage(world: {
  simulators: readonly NamedSimulator[];
  now: number;
  calls: readonly Call[];
  plan: readonly PlannedFault[];
}): Promise<Response> {
  const { simulators, now, calls, plan } = world;
  const newest = calls.slice(-shownCalls).toReversed();
  return page(
    'Provider simulators',
    html`<h1>Provider simulators</h1>
<p>No real money, and nothing is delivered. Time here: ${new Date(now).toISOString()}. <a href="/">Refresh</a></p>
${plan.map(({ provider, fault, times }) => html`<p>Planned: ${provider} ${fault}, ${times} times</p>`)}
${simulators.map(providerSection)}
<section>
<h2>Calls</h2>
${
  newest.length === 0
    ? html`<p>There are none yet.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Calls"><table>
<thead><tr><th scope="col">Time (UTC)</th><th scope="col">Provider</th><th scope="col">Direction</th><th scope="col">Operation</th><th scope="col">Status</th><th scope="col">Request and response</th></tr></thead>
<tbody>${newest.map(callRow)}</tbody></table></div>`
}
</section>`,
  );
}

const buttons = { pay: 'Pay', fail: 'Let it fail', expire: 'Let it expire', refund: 'Refund' };

export function paymentPage(
  { name, title, actions }: NamedSimulator,
  payment: PagePayment,
): Promise<Response> {
  const offered = Object.entries(buttons).filter(([action]) => Object.hasOwn(actions, action));
  return page(
    `${title}: ${payment.reference}`,
    html`<p><a href="/">All payments and calls</a></p>
<h1>${rupiah(payment.amount)}</h1>
<section>
<h2>${title}: ${payment.status}</h2>
<p>${payment.method} for order ${payment.merchantRef}</p>
${payment.code === null ? '' : html`<p><code>${payment.code}</code></p>`}
${payment.qrString === null ? '' : html`<div class="qr" role="img" aria-label="QR code">${raw(renderSVG(payment.qrString))}</div>`}
${offered.map(
  ([action, text]) => html`<form method="post" action="/control/${name}/${action}">
<input type="hidden" name="reference" value="${payment.reference}"><button>${text}</button></form>`,
)}
${payment.returnUrl === null ? '' : html`<p><a href="${payment.returnUrl}">Back to the shop</a></p>`}
</section>`,
  );
}

/** Creates the page for a failed control request of a form. */
export const problemPage = (status: number, message: string): Promise<Response> =>
  page(
    'Not done',
    html`<h1>Not done</h1><p>${message}</p><p><a href="/">All payments and calls</a></p>`,
    status,
  );
