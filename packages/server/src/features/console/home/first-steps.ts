import { keyState } from '@topup-kit/core/engine';
import type { BackupState } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction } from '../actions.ts';
import { firstSteps } from '../additions.ts';
import { icon } from '../icons.ts';
import { copyable } from '../parts.ts';
import type { FirstStep } from '../section.ts';
import type { ConsoleDependencies, View } from '../view.ts';

const texts = {
  title: { id: 'Langkah pertama', en: 'First steps' },
  done: { id: 'selesai', en: 'done' },
  optional: { id: 'opsional', en: 'optional' },
  command: { id: 'Perintah', en: 'Command' },
  database: {
    id: 'Sebelum memakai perintah ini, isi TOPUP_STORE dengan alamat basis data server.',
    en: "Before you use these commands, set TOPUP_STORE to the address of the server's database.",
  },
  products: { id: 'produk', en: 'products' },
  keys: { id: 'kunci aktif', en: 'active keys' },
};

async function readSteps(
  view: View,
  deps: ConsoleDependencies,
  { backedUpAt }: BackupState,
  backup: ConsoleAction | null,
): Promise<FirstStep[]> {
  const { store, storeFlag, providers, realClock } = deps;
  const words = view.words(texts);
  const [catalog, keys, problems, ofRooms] = await Promise.all([
    view.open.readCatalog(),
    store.listKeys(),
    view.open.readProviderProblems(),
    Promise.all(Object.values(firstSteps).map((read) => read(view, deps))),
  ]);
  const products = catalog?.games.reduce((sum, game) => sum + game.products.length, 0) ?? 0;
  const active = keys.filter((key) => keyState(key, realClock()) === 'active').length;
  const provider = (name: string, title: FirstStep['title']): FirstStep => {
    const failing = problems.find((problem) => problem.provider === name);
    const why = `${name}: ${failing?.problem}`;
    return { title, found: failing ? null : name, why: { id: why, en: why }, command: 'topup doctor' };
  };
  return [
    {
      title: { id: 'Impor katalog', en: 'Import what you sell' },
      found:
        products === 0
          ? null
          : html`<a href="${view.link('/catalog')}">${view.number(products)} ${words.products}</a>`,
      why: { id: 'Game, produk, dan harga dari satu file.', en: 'Games, products and prices, from a file.' },
      command: `topup catalog import shop.json${storeFlag}`,
    },
    {
      title: { id: 'Buat kunci untuk situs Anda', en: 'Create a key for your site' },
      found: active === 0 ? null : `${view.number(active)} ${words.keys}`,
      why: { id: 'Situs mengirim pesanan dengan kunci ini.', en: 'The site sends orders with it.' },
      command: `topup keys create --name shop --mode live${storeFlag}`,
    },
    provider(providers.gateway, { id: 'Hubungkan gateway', en: 'Connect a gateway' }),
    ...providers.suppliers.map((name) =>
      provider(name, { id: 'Hubungkan pemasok', en: 'Connect a supplier' }),
    ),
    ...(backup
      ? [
          {
            title: { id: 'Buat cadangan pertama', en: 'Make the first backup' },
            found: backedUpAt === null ? null : view.time(backedUpAt),
            why: { id: 'Lalu jadwalkan setiap malam.', en: 'Then schedule one for every night.' },
            command: `topup backup shop.backup${storeFlag}`,
            to: actionLink(view, backup, {}),
          },
        ]
      : []),
    ...ofRooms,
  ];
}

/** Renders the remaining steps of a shop without orders, each with its state. */
export async function firstStepsCard(...about: Parameters<typeof readSteps>): Promise<Markup> {
  const [view, { storeKind }] = about;
  const words = view.words(texts);
  const steps = await readSteps(...about);
  const next = steps.find(({ found, isOptional }) => found === null && !isOptional);
  const item = (step: FirstStep, index: number): Markup => {
    const { title, found, why, isOptional, command, to } = step;
    const isDone = found !== null;
    return html`<li class="${isDone ? 'done' : step === next ? 'next' : ''}"><span class="step-number">${isDone ? icon('check') : index + 1}</span><div><p><b>${view.text(title)}</b>${isOptional ? html` <span class="soft">${words.optional}</span>` : ''}</p><p class="soft">${found ?? view.text(why)}</p>
${isDone || to || !command ? '' : copyable(`step-${index}`, command, words.command)}</div>${isDone ? '' : to}</li>`;
  };
  return html`<section class="card" id="first-steps"><div class="head"><h2>${words.title}</h2><span class="soft">${steps.filter(({ found }) => found !== null).length} ${words.of} ${steps.length} ${words.done}</span></div>${storeKind === 'postgres' ? html`<p class="soft">${words.database}</p>` : ''}<ol class="steps">${steps.map(item)}</ol></section>`;
}
