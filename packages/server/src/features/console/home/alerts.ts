import { type Alert, alertDescriptions } from '@topup-kit/core/engine';
import type { Refund } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { card, copyable } from '../parts.ts';
import type { AlertButtons } from '../section.ts';
import type { View } from '../view.ts';

const texts = {
  id: {
    waits: 'Yang menunggu Anda',
    nothing: 'Tidak ada yang menunggu. Semua pesanan berjalan sendiri.',
    toPay: 'Pengembalian dana yang harus dibayar sendiri:',
    all: 'Lihat semua',
    commands: 'Perintah',
  },
  en: {
    waits: 'What waits for you',
    nothing: 'Nothing waits. All orders go on by themselves.',
    toPay: 'Refunds to pay by hand:',
    all: 'See all',
    commands: 'Commands',
  },
};

/** What an alert says, in the visitor's language. */
function sentenceOf(view: View, { kind, count, sentence, reasons }: Alert): string {
  if (view.locale === 'en') return sentence;
  const why = reasons ? ` (ada yang menunggu karena: ${reasons.join('; ')})` : '';
  return alertDescriptions[kind].indonesian.replace('#', view.number(count)) + why;
}

/** The commands for the first of what an alert names. Words in brackets that are left are the operator's to fill in. */
const commandsOf = ({ kind, names }: Alert): string =>
  alertDescriptions[kind].commands
    .map((command) =>
      `topup ${command}`.replace(
        /<(order-id|payment|refund|callback-id|endpoint-id|code)>/,
        names[0] ?? '$&',
      ),
    )
    .join('\n');

function alertItem(view: View, alert: Alert, buttons: AlertButtons): Markup {
  const { kind } = alert;
  const words = view.text(texts);
  const { advice, place } = alertDescriptions[kind];
  const names = alert.names.map((name) =>
    place === null
      ? html`<code>${name}</code> `
      : html`<a class="step" href="${view.link(place.one.replace('{name}', encodeURIComponent(name)))}"><code>${name}</code></a> `,
  );
  const commands = commandsOf(alert);
  return html`<li class="bad row" id="alert-${kind}"><strong>${sentenceOf(view, alert)}.</strong>
<p>${view.text(advice)}</p><p>${names}${buttons[kind] ?? ''}${place === null ? '' : html`<a href="${view.link(place.all)}">${words.all}</a>`}</p>
${commands === '' ? '' : html`<details id="commands-${kind}"><summary>${words.commands}</summary>${copyable(`command-${kind}`, commands, words.commands)}</details>`}</li>`;
}

/** What is to be paid back, in one line, because an alert says it only after a day. */
function refundsItem(view: View, toPay: readonly Refund[]): Markup {
  const sum = toPay.reduce((total, { amount }) => total + amount, 0);
  return html`<li class="busy row" id="refunds-to-pay"><strong>${view.text(texts).toPay} ${view.money(sum)}</strong>
<p><a href="${view.link('/payments#refunds')}">${view.text(texts).all} (${view.number(toPay.length)})</a></p></li>`;
}

/** What waits for an operator: each alert with what to do about it, and the way there, and the refunds that are still to be paid. */
export function alertsCard(
  view: View,
  alerts: readonly Alert[],
  { buttons, toPay }: { buttons: AlertButtons; toPay: readonly Refund[] },
): Markup {
  const words = view.text(texts);
  const isTold = toPay.length === 0 || alerts.some(({ kind }) => kind === 'unpaid-refunds');
  return card(
    words.waits,
    alerts.length === 0 && isTold
      ? html`<p class="notice good">${words.nothing}</p>`
      : html`<ul class="timeline">${alerts.map((alert) => alertItem(view, alert, buttons))}${isTold ? '' : refundsItem(view, toPay)}</ul>`,
  );
}
