import { findAlerts } from '@topup-kit/core/engine';
import type { SupplierBalance } from '@topup-kit/core/store';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { overview } from '../additions.ts';
import { badge, card, facts } from '../parts.ts';
import type { CreateSection, OverviewPart } from '../section.ts';
import { sectionTitles } from '../texts.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { alertsCard } from './alerts.ts';

const texts = {
  id: {
    balance: 'Saldo di pemasok',
    noBalance: 'Belum ada pemasok yang menyebut saldonya.',
    readAt: 'dibaca',
    providers: 'Penyedia',
    gateway: 'Gateway pembayaran',
    supplier: 'Pemasok',
    works: 'normal',
    problem: 'bermasalah',
    server: 'Server dan penyimpanan',
    servers: 'Server yang berjalan',
    stored: 'Pesanan tersimpan',
    store: 'Penyimpanan',
    accepts: 'menerima pesanan',
    fails: 'tidak menerima perubahan',
  },
  en: {
    balance: 'Balance at suppliers',
    noBalance: 'No supplier has said its balance yet.',
    readAt: 'read',
    providers: 'Providers',
    gateway: 'Payment gateway',
    supplier: 'Supplier',
    works: 'works',
    problem: 'has a problem',
    server: 'Server and store',
    servers: 'Servers running',
    stored: 'Orders stored',
    store: 'Store',
    accepts: 'accepts orders',
    fails: 'accepts no changes',
  },
};

function balanceCard(
  view: View,
  balances: readonly SupplierBalance[],
  parts: readonly OverviewPart[],
): Markup {
  const words = view.text(texts);
  const one = (balance: SupplierBalance): Markup => {
    const isLow = balance.balance < balance.alertBelow;
    return html`<div><div class="soft">${balance.supplier} ${isLow ? badge(view.money(balance.alertBelow), 'bad') : ''}</div><div class="figure">${view.money(balance.balance)}</div><div class="compared">${parts.map(({ ofBalance }) => ofBalance && html`${ofBalance(balance)}; `)}${words.readAt} ${view.time(balance.readAt)}</div></div>`;
  };
  return card(
    words.balance,
    balances.length === 0
      ? html`<p class="empty">${words.noBalance}</p>`
      : html`<div class="figures">${balances.map(one)}</div>`,
  );
}

async function healthCards(view: View, deps: ConsoleDependencies): Promise<Markup> {
  const { store, providers, failure, countServers } = deps;
  const words = view.text(texts);
  const [problems, states] = await Promise.all([store.readProviderProblems(), store.countOrders()]);
  const health = (name: string): Markup => {
    const problem = problems.find(({ provider }) => provider === name);
    return html`${name} ${problem ? html`${badge(words.problem, 'bad')} <span class="soft">${problem.problem}</span>` : badge(words.works, 'good')}`;
  };
  const stored = states.reduce((sum, { count }) => sum + count, 0);
  return html`${card(
    words.providers,
    facts([
      [words.gateway, health(providers.gateway)],
      ...providers.suppliers.map((name) => [words.supplier, health(name)] as const),
    ]),
  )}${card(
    words.server,
    facts([
      [words.servers, view.number(countServers())],
      [words.stored, view.number(stored)],
      [words.store, failure() ? badge(words.fails, 'bad') : badge(words.accepts, 'good')],
    ]),
  )}`;
}

/** What waits for an operator, and how the day goes. */
export const homePages: CreateSection = (deps) => {
  const { store, realClock, position } = deps;
  const rooms = Object.values(overview).map((create) => create(deps));
  return {
    actions: [],
    pages: [
      {
        path: '',
        async render(view) {
          const { now } = view;
          const place = await position();
          const [alerts, parts, balances, toPay] = await Promise.all([
            findAlerts(store, { now, realNow: realClock() }),
            Promise.all(rooms.map((render) => render(view))),
            store.readSupplierBalances(),
            store.listRefunds('to-pay'),
          ]);
          return {
            section: 'home',
            title: view.text(sectionTitles.home),
            content: html`<div class="columns"><div id="left" data-renew>${alertsCard(view, alerts, { buttons: Object.assign({}, ...parts.map(({ buttons }) => buttons)), toPay })}${parts.map(({ left }) => left)}</div>
<div id="right" data-renew>${balanceCard(view, balances, parts)}${parts.map(({ right }) => right)}${await healthCards(view, deps)}</div></div>`,
            live: { orders: 'all', position: place },
          };
        },
      },
    ],
  };
};
