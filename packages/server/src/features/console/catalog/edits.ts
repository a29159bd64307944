import { undoEdit } from '@topup-kit/core/engine';
import type { StoredCatalogEdit } from '@topup-kit/core/store';
import { html } from '../../../pages/html.ts';
import { actionLink, type ConsoleAction, InputError } from '../actions.ts';
import { limitNotice } from '../paging.ts';
import { card, dataTable } from '../parts.ts';
import { type ConsoleSection, type SectionDependencies, sectionTabs } from '../section.ts';
import { editing, valuesTable } from './product-actions.ts';

const texts = {
  title: { id: 'Perubahan katalog', en: 'Changes of the catalogue' },
  edit: { id: 'Perubahan', en: 'Change' },
  number: { id: 'No.', en: 'No.' },
  by: { id: 'Oleh', en: 'By' },
  server: { id: 'server', en: 'the server' },
  what: { id: 'Apa', en: 'What' },
  values: { id: 'Nilai', en: 'Values' },
  none: { id: 'Belum ada perubahan.', en: 'No changes yet.' },
};

/** Maximum number of shown edits; the history keeps all edits. */
const mostShown = 100;

/** Creates the pages of catalogue edits by operators, imports and syncs, with undo; see `topup catalog history`. */
export function editPages(deps: SectionDependencies): ConsoleSection {
  const { store } = deps;

  async function find(number: string | undefined): Promise<StoredCatalogEdit | undefined> {
    const edits = await store.listCatalogEdits(Number.MAX_SAFE_INTEGER);
    return edits.find((edit) => String(edit.number) === number);
  }

  const undo: ConsoleAction = {
    path: '/catalog/edits/:number/undo',
    section: 'catalog',
    title: { id: 'Batalkan perubahan ini', en: 'Take this change back' },
    ...editing(deps, {
      command: ({ params }) => `undo ${params.number}`,
      async planOf({ params }) {
        const edit = await find(params.number);
        if (edit) return undoEdit(edit);
        throw new InputError({
          id: `Tidak ada perubahan ${params.number}.`,
          en: `There is no change ${params.number}.`,
        });
      },
    }),
  };

  return {
    actions: [undo],
    pages: [
      {
        path: '/catalog/edits',
        async render(view) {
          const words = view.words(texts);
          const edits = await store.listCatalogEdits(mostShown + 1);
          return {
            section: 'catalog',
            title: words.title,
            content: html`${sectionTabs(view, '/catalog/edits', deps)}<div class="card">${limitNotice(view, edits.length, mostShown, 'newest')}${dataTable(
              edits.slice(0, mostShown),
              {
                caption: words.title,
                stacks: true,
                columns: [
                  {
                    title: words.number,
                    cell: ({ number }) =>
                      html`<a class="step" href="${view.link(`/catalog/edits/${number}`)}">${number}</a>`,
                    isNumber: true,
                  },
                  { title: words.when, cell: ({ at }) => view.time(at) },
                  { title: words.by, cell: ({ by }) => by ?? words.server },
                  { title: words.what, cell: ({ command }) => command },
                  { title: words.values, cell: ({ values }) => view.number(values.length), isNumber: true },
                ],
                idOf: ({ number }) => `edit-${number}`,
                empty: words.none,
              },
            )}</div>`,
          };
        },
      },
      {
        path: '/catalog/edits/:number',
        async render(view, { params }) {
          const words = view.words(texts);
          const edit = await find(params.number);
          if (!edit) return null;
          return {
            section: 'catalog',
            title: `${words.edit} ${edit.number}`,
            actions: actionLink(view, undo, { number: String(edit.number) }),
            content: html`<p>${view.time(edit.at)} · ${edit.by ?? words.server} · ${edit.command}</p>${card(words.values, valuesTable(view, edit.values))}`,
          };
        },
      },
    ],
  };
}
