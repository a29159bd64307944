import { findAlerts } from '@topup-kit/core/engine';
import type { Refund, SupplierBalance } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { actionLink } from '../actions.ts';
import { overview } from '../additions.ts';
import { icon } from '../icons.ts';
import { card, figure } from '../parts.ts';
import { type AlertButtons, type CreateSection, type OverviewPart, sectionTabs } from '../section.ts';
import { sectionTitles } from '../texts.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { alertsCard } from './alerts.ts';
import { backupLine, createBackupAction } from './backup.ts';
import { firstStepsCard } from './first-steps.ts';

const texts = {
  until: { id: 'sampai', en: 'until' },
  beside: { id: 'dibanding kemarin pada jam ini', en: 'compared with yesterday at this hour' },
  owed: { id: 'Refund belum dibayar', en: 'Refunds to pay' },
  newOwed: { id: 'baru dalam 24 jam', en: 'new in 24 hours' },
  noneOwed: { id: 'tidak ada yang menunggu', en: 'none is waiting' },
  oldOwed: { id: 'menunggu lebih dari sehari', en: 'waiting for over a day' },
  balance: { id: 'Saldo pemasok', en: 'Supplier balance' },
  noBalance: {
    id: 'Belum ada pemasok yang melaporkan saldonya.',
    en: 'No supplier has reported its balance yet.',
  },
  alertBelow: { id: 'peringatan di bawah', en: 'alert below' },
  readAt: { id: 'dibaca', en: 'read' },
  health: { id: 'Kesehatan', en: 'Health' },
  gateway: { id: 'gateway', en: 'gateway' },
  supplier: { id: 'pemasok', en: 'supplier' },
  works: { id: 'normal', en: 'works' },
  problem: { id: 'bermasalah', en: 'has a problem' },
  store: { id: 'Penyimpanan', en: 'Store' },
  stored: { id: 'Pesanan tersimpan', en: 'Orders stored' },
  fails: { id: 'tidak menerima perubahan', en: 'accepts no changes' },
  servers: { id: 'Server', en: 'Servers' },
  running: { id: 'yang berjalan', en: 'running' },
};

const dayMs = 24 * 60 * 60_000;

/** Renders the open refunds and the number of new ones. */
function owedFigure(view: View, toPay: readonly Refund[]): Markup {
  const words = view.words(texts);
  const sum = (refunds: readonly Refund[]): number => refunds.reduce((all, { amount }) => all + amount, 0);
  const fresh = sum(toPay.filter(({ at }) => at > view.now - dayMs));
  const compared =
    toPay.length === 0
      ? { tone: 'good' as const, text: html`${words.noneOwed}` }
      : {
          tone: 'bad' as const,
          text: fresh > 0 ? html`<b>${view.money(fresh)}</b> ${words.newOwed}` : words.oldOwed,
        };
  return figure(
    html`<a href="${view.link('/payments#refunds')}">${words.owed}</a>`,
    view.money(sum(toPay)),
    compared,
  );
}

/** Renders a balance on a meter. The full meter is three times the limit of the alert. */
function balanceItem(view: View, read: SupplierBalance, parts: readonly OverviewPart[]): Markup {
  const words = view.words(texts);
  const { supplier, balance, alertBelow, readAt } = read;
  const most = Math.max(3 * alertBelow, alertBelow === 0 ? balance : 0, 1);
  const share = (amount: number): string => `${Math.round(Math.min(1, Math.max(0, amount / most)) * 100)}%`;
  const alert = `${words.alertBelow} ${view.money(alertBelow)}`;
  return html`<div class="balance ${balance < alertBelow ? 'bad' : 'good'}"><p class="pair"><b>${supplier}</b><span>${parts.map(({ ofBalance }) => ofBalance?.(read))}</span></p>
<p class="figure">${view.money(balance)}</p>
<svg class="meter" role="img" aria-label="${view.money(balance)}; ${alert}"><rect width="100%" height="8" rx="4"/><rect class="part" width="${share(balance)}" height="8" rx="4"/><rect class="mark" x="${share(alertBelow)}" width="2" height="8"/></svg>
<p class="pair soft"><span>${alert}</span><span>${words.readAt} ${view.time(readAt)}</span></p></div>`;
}

async function healthCard(
  view: View,
  deps: ConsoleDependencies,
  stored: number,
  backup: Markup | '',
): Promise<Markup> {
  const { providers, failure, countServers } = deps;
  const words = view.words(texts);
  const problems = await view.open.readProviderProblems();
  const line = (name: string, what: string, problem: string | null | undefined, works: string): Markup =>
    html`<li class="${problem ? 'bad' : 'good'}"><span><b>${name}</b> <span class="soft">${what}</span></span><span class="state">${icon(problem ? 'alert' : 'check')}${problem ?? works}</span></li>`;
  const provider = (name: string, role: string): Markup =>
    line(name, role, problems.find((problem) => problem.provider === name)?.problem, words.works);
  return card(
    words.health,
    html`<ul class="lines">${provider(providers.gateway, words.gateway)}${providers.suppliers.map((name) => provider(name, words.supplier))}
${line(words.store, `${words.stored} ${view.number(stored)}`, failure() && words.fails, words.works)}
${backup}${line(words.servers, words.running, null, view.number(countServers()))}</ul>`,
  );
}

/** Creates the overview: open work and the day's sales. */
export const homePages: CreateSection = (deps) => {
  const { store, realClock, position, failure } = deps;
  const rooms = Object.values(overview).map((create) => create(deps));
  const backUp = createBackupAction(deps);
  return {
    tabs: { '': sectionTitles.home },
    actions: backUp ? [backUp] : [],
    pages: [
      {
        path: '',
        filters: { days: ['7', '30'] },
        async render(view, { query }) {
          const { now } = view;
          const words = view.words(texts);
          const place = await position();
          const [alerts, parts, balances, toPay, payments, states, backups] = await Promise.all([
            findAlerts(view.open, { now, realNow: realClock() }),
            Promise.all(rooms.map((render) => render(view, query))),
            view.open.readSupplierBalances(),
            view.open.listRefunds('to-pay'),
            view.open.listReconciliations({ state: 'open' }),
            store.countOrders(),
            view.open.readBackupState(),
          ]);
          const stored = states.reduce((sum, { count }) => sum + count, 0);
          const isEmpty = stored === 0 && view.mode === 'live';
          const orders = await store.findOrders(alerts.flatMap(({ names }) => names));
          const buttons: AlertButtons = Object.assign(
            backUp ? { 'overdue-backup': actionLink(view, backUp, {}) } : {},
            ...parts.map((part) => part.buttons),
          );
          const balance =
            balances.length === 0
              ? html`<p class="empty">${words.noBalance}</p>`
              : balances.map((read) => balanceItem(view, read, parts));
          return {
            section: 'home',
            title: view.text(sectionTitles.home),
            actions: html`<p class="soft">${words.until} ${view.clock(now)}, ${words.beside}</p>`,
            content: html`${sectionTabs(view, '', deps)}<dl class="figures card" id="figures" data-renew>${parts.map(({ figures }) => figures)}${owedFigure(view, toPay)}</dl>
<div class="columns"><div id="left" data-renew>${isEmpty ? await firstStepsCard(view, deps, backups, backUp) : ''}${alertsCard(view, { alerts, orders, payments, toPay, storeFails: failure() !== null, buttons })}${isEmpty ? '' : parts.map(({ left }) => left)}</div>
<div class="aside" id="right" data-renew>${card(words.balance, balance, { id: 'balance' })}${await healthCard(view, deps, stored, backupLine(view, backups, deps, backUp))}${parts.map(({ right }) => right)}</div></div>`,
            live: { orders: 'all', position: place },
          };
        },
      },
    ],
  };
};
