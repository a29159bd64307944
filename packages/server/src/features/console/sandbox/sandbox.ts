import {
  callScenarios,
  indonesianScenarios,
  type Scenario,
  sandboxScenarios,
} from '@topup-kit/core/contract';
import { html } from 'hono/html';
import type { Markup } from '../../../pages/html.ts';
import { actionButton, actionLink } from '../actions.ts';
import { badge, card, dataTable, facts, orderLink } from '../parts.ts';
import type { CreateSection } from '../section.ts';
import { sectionTitles } from '../texts.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { type SandboxActions, sandboxActionsOf } from './actions.ts';
import { requestPages } from './requests.ts';
import { sandboxTabs } from './tabs.ts';

const texts = {
  id: {
    clock: 'Jam sandbox',
    now: 'Sekarang',
    ahead: 'Di depan waktu nyata',
    none: 'tidak',
    due: 'Yang jatuh tempo berikutnya',
    dueOrder: 'Pesanan kedaluwarsa',
    dueNext: 'Berikutnya ada yang dikerjakan pada',
    nothingDue: 'Tidak ada yang menunggu waktunya.',
    when: 'Waktu',
    order: 'Pesanan',
    faults: 'Skenario dan gangguan',
    scenario: 'Skenario',
    effect: 'Akibatnya',
    header: 'Untuk satu permintaan saja: header X-Topup-Scenario dengan',
    active: 'aktif',
    turnOn: 'Nyalakan',
    added: 'Gangguan',
    struck: 'Terjadi',
    ended: 'berakhir',
    remove: 'Hapus',
    noneAdded: 'Belum ada gangguan.',
    worlds: 'Dunia',
    worldsWhy:
      'Setiap kunci tes, dan setiap nama di X-Topup-World, punya pesanan, jam, dan skenario sendiri.',
    world: 'Nama',
    shown: 'ditampilkan',
    show: 'Tampilkan',
  },
  en: {
    clock: 'Clock of the sandbox',
    now: 'Now',
    ahead: 'Ahead of real time',
    none: 'no',
    due: 'What falls due next',
    dueOrder: 'The order expires',
    dueNext: 'Something is done next at',
    nothingDue: 'Nothing waits for its time.',
    when: 'When',
    order: 'Order',
    faults: 'Scenarios and faults',
    scenario: 'Scenario',
    effect: 'What it does',
    header: 'For one request only: the header X-Topup-Scenario with',
    active: 'on',
    turnOn: 'Turn on',
    added: 'Faults',
    struck: 'Struck',
    ended: 'ended',
    remove: 'Remove',
    noneAdded: 'No faults yet.',
    worlds: 'Worlds',
    worldsWhy: 'Each test key, and each name in X-Topup-World, has its own orders, clock and scenario.',
    world: 'Name',
    shown: 'shown',
    show: 'Show',
  },
};

/** Steps of the clock's buttons. */
const steps = ['1m', '31m', '24h', '7d'];

/** Maximum number of listed orders that expire next. */
const maxDue = 8;

async function clockCard(
  view: View,
  { store, sandbox }: ConsoleDependencies,
  actions: SandboxActions,
): Promise<Markup> {
  const words = view.text(texts);
  const ahead = sandbox?.world().ahead ?? 0;
  const [expiring, next] = await Promise.all([
    store.findPaymentsByExpiry('UNPAID', { expiresAt: view.now, orderId: '' }, maxDue),
    store.nextDueAt(),
  ]);
  return card(
    words.clock,
    html`${facts([
      [words.now, view.exactTime(view.now)],
      [words.ahead, ahead === 0 ? words.none : `${view.number(Math.round(ahead / 60_000))} min`],
    ])}
<div class="actions">${steps.map((by) => actionButton(view, actions.advance, {}, { label: `+ ${by}`, fields: { by } }))}${actionLink(view, actions.advance, {})}${actionLink(view, actions.reset, {}, { kind: 'danger' })}</div>
<h3>${words.due}</h3>
${next === null ? html`<p class="empty">${words.nothingDue}</p>` : html`<p>${words.dueNext} ${view.time(next)}</p>`}
${
  expiring.length === 0
    ? ''
    : dataTable(expiring, {
        caption: words.due,
        columns: [
          { title: words.when, cell: ({ expiresAt }) => view.time(expiresAt) },
          { title: words.dueOrder, cell: ({ orderId }) => orderLink(view, orderId) },
        ],
        idOf: ({ orderId }) => `due-${orderId}`,
        empty: '',
      })
}`,
  );
}

function faultsCard(view: View, { sandbox }: ConsoleDependencies, actions: SandboxActions): Markup {
  const words = view.text(texts);
  const current = sandbox?.active.scenario ?? 'none';
  // Safe: the keys of a constant table.
  const names = Object.keys(sandboxScenarios) as Scenario[];
  return card(
    words.faults,
    html`${dataTable(names, {
      caption: words.faults,
      stacks: true,
      columns: [
        { title: words.scenario, cell: (name) => html`<code>${name}</code>` },
        {
          title: words.effect,
          cell: (name) => (view.locale === 'en' ? sandboxScenarios[name] : indonesianScenarios[name]),
        },
        {
          title: '',
          cell: (name) =>
            name === current
              ? badge(words.active, name === 'none' ? 'good' : 'busy')
              : actionButton(view, actions.scenario, {}, { label: words.turnOn, fields: { name } }),
        },
      ],
      idOf: (name) => `scenario-${name}`,
      toneOf: (name) => (name === current && name !== 'none' ? 'bad' : 'quiet'),
      empty: '',
    })}<p class="soft">${words.header} ${Object.keys(callScenarios).map((name) => html`<code>${name}</code> `)}</p>`,
  );
}

/** The added faults with the number of their uses, and the forms of the described controls. */
function addedCard(view: View, { sandbox }: ConsoleDependencies, actions: SandboxActions): Markup {
  const words = view.text(texts);
  const added = sandbox?.faults.list() ?? [];
  const remove = actions.described.find(({ path }) => path === '/sandbox/remove-fault');
  return card(
    words.added,
    html`${dataTable(added, {
      caption: words.added,
      stacks: true,
      columns: [
        { title: 'Id', cell: ({ id }) => id, isNumber: true },
        {
          title: words.effect,
          cell: ({ id: _id, struck: _struck, active: _active, ...fault }) =>
            Object.entries(fault).map(([name, value]) => html`<code>${name}: ${value}</code> `),
        },
        { title: words.struck, cell: ({ struck }) => view.number(struck), isNumber: true },
        {
          title: '',
          cell: ({ id, active }) => [
            active ? badge(words.active, 'busy') : badge(words.ended, 'quiet'),
            remove ? actionButton(view, remove, {}, { label: words.remove, fields: { id: String(id) } }) : '',
          ],
        },
      ],
      idOf: ({ id }) => `fault-${id}`,
      empty: words.noneAdded,
    })}<div class="actions">${actions.described.map((action) => actionLink(view, action, {}))}</div>`,
  );
}

function worldsCard(view: View, { worlds }: ConsoleDependencies, actions: SandboxActions): Markup | '' {
  const words = view.text(texts);
  const all = worlds();
  if (all.length < 2) return '';
  return card(
    words.worlds,
    html`<p class="soft">${words.worldsWhy}</p>${dataTable([...all.entries()], {
      caption: words.worlds,
      columns: [
        { title: words.world, cell: ([, { key }]) => html`<code>${key}</code>` },
        {
          title: '',
          cell: ([, { key, isShown }]) =>
            isShown
              ? badge(words.shown, 'good')
              : actionButton(view, actions.world, {}, { label: words.show, fields: { key } }),
        },
      ],
      idOf: ([index]) => `world-${index}`,
      empty: '',
    })}`,
  );
}

/** The controls of a sandbox and its journal; nothing in live mode. */
export const sandboxPages: CreateSection = (deps) => {
  if (!deps.sandbox) return { actions: [], pages: [] };
  const actions = sandboxActionsOf(deps);
  const requests = requestPages(deps);
  return {
    actions: Object.values(actions).flat(),
    pages: [
      {
        path: '/sandbox',
        async render(view) {
          return {
            section: 'sandbox',
            title: view.text(sectionTitles.sandbox),
            actions: actionLink(view, actions.order, {}, { kind: 'main' }),
            content: html`${sandboxTabs(view, '/sandbox')}<div class="columns"><div>${faultsCard(view, deps, actions)}${addedCard(view, deps, actions)}</div>
<div>${await clockCard(view, deps, actions)}${worldsCard(view, deps, actions)}</div></div>`,
          };
        },
      },
      ...requests,
    ],
  };
};
