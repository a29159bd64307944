import {
  callScenarios,
  indonesianScenarios,
  type Scenario,
  sandboxScenarios,
} from '@topup-kit/core/contract';
import { html, type Markup } from '../../../pages/html.ts';
import { actionButton, actionLink } from '../actions.ts';
import { badge, card, dataTable, detailList, orderLink } from '../parts.ts';
import type { CreateSection } from '../section.ts';
import { sectionTitles } from '../texts.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import { type SandboxActions, sandboxActionsOf } from './actions.ts';
import { requestPages, sandboxTabs } from './requests.ts';

const texts = {
  clock: { id: 'Jam sandbox', en: 'Clock of the sandbox' },
  now: { id: 'Sekarang', en: 'Now' },
  ahead: { id: 'Lebih cepat dari waktu nyata', en: 'Ahead of real time' },
  none: { id: 'tidak', en: 'no' },
  due: { id: 'Pekerjaan terjadwal berikutnya', en: 'Next due work' },
  dueOrder: { id: 'Pesanan kedaluwarsa', en: 'The order expires' },
  dueNext: { id: 'Pekerjaan berikutnya pada', en: 'Next work at' },
  nothingDue: { id: 'Tidak ada pekerjaan terjadwal.', en: 'No work is scheduled.' },
  faults: { id: 'Skenario dan gangguan', en: 'Scenarios and faults' },
  scenario: { id: 'Skenario', en: 'Scenario' },
  effect: { id: 'Akibatnya', en: 'What it does' },
  header: {
    id: 'Untuk satu permintaan saja: header X-Topup-Scenario dengan',
    en: 'For one request only: the header X-Topup-Scenario with',
  },
  active: { id: 'aktif', en: 'on' },
  turnOn: { id: 'Nyalakan', en: 'Turn on' },
  added: { id: 'Gangguan', en: 'Faults' },
  struck: { id: 'Terjadi', en: 'Struck' },
  ended: { id: 'berakhir', en: 'ended' },
  remove: { id: 'Hapus', en: 'Remove' },
  noneAdded: { id: 'Belum ada gangguan.', en: 'No faults yet.' },
  worlds: { id: 'Dunia', en: 'Worlds' },
  worldsWhy: {
    id: 'Setiap kunci tes, dan setiap nama di X-Topup-World, punya pesanan, jam, dan skenario sendiri.',
    en: 'Each test key, and each name in X-Topup-World, has its own orders, clock and scenario.',
  },
  world: { id: 'Nama', en: 'Name' },
  shown: { id: 'ditampilkan', en: 'shown' },
};

/** Steps of the clock's buttons. */
const steps = ['1m', '31m', '24h', '7d'];

/** Maximum number of listed orders with the next expiries. */
const maxDue = 8;

async function clockCard(
  view: View,
  { store, sandbox }: ConsoleDependencies,
  actions: SandboxActions,
): Promise<Markup> {
  const words = view.words(texts);
  const ahead = sandbox?.world().ahead ?? 0;
  const [expiring, next] = await Promise.all([
    store.findPaymentsByExpiry('UNPAID', { expiresAt: view.now, orderId: '' }, maxDue),
    store.nextDueAt(),
  ]);
  return card(
    words.clock,
    html`${detailList([
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
  const words = view.words(texts);
  const current = sandbox?.active.scenario ?? 'none';
  // Safe: these are the keys of a constant table.
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

/** Renders the added faults with the number of their uses, and the forms of the described controls. */
function addedCard(view: View, { sandbox }: ConsoleDependencies, actions: SandboxActions): Markup {
  const words = view.words(texts);
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
  const words = view.words(texts);
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

/** Creates the pages of a sandbox's controls and its journal; nothing in live mode. */
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
