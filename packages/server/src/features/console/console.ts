import { ownPaths } from '@topup-kit/core/app';
import type { Localised } from '@topup-kit/core/contract';
import { isStoreFailure } from '@topup-kit/core/engine';
import { getCookie } from 'hono/cookie';
import { html } from '../../pages/html.ts';
import type { Router } from '../../service/site.ts';
import type { Admit, PageRequest, Visitor } from './access.ts';
import { renderAccessPage } from './access-page.ts';
import { runAction } from './actions.ts';
import { createChanges } from './changes.ts';
import { createCounts } from './counts.ts';
import { fileResponse } from './files.ts';
import { readForm } from './form.ts';
import { type Page, renderPage } from './page.ts';
import { type Content, queryText } from './parts.ts';
import { type ConsoleSection, unknownFilters } from './section.ts';
import { sections as createSections } from './sections.ts';
import { frameTexts } from './texts.ts';
import { type ConsoleDependencies, createViews, type View } from './view.ts';

const missing = {
  id: { title: 'Tidak ditemukan', text: 'Halaman ini tidak ada.', back: 'Ke ringkasan' },
  en: { title: 'Not found', text: 'There is no such page.', back: 'To the overview' },
};

const failed = {
  id: {
    title: 'Halaman tidak dapat ditampilkan',
    store: 'Penyimpanan tidak menjawab saat ini. Coba lagi sebentar lagi; tidak ada yang hilang.',
    other: 'Terjadi kesalahan di server; log server menjelaskannya.',
  },
  en: {
    title: 'This page could not be shown',
    store: 'The store does not respond at the moment. Try again shortly; nothing is lost.',
    other: 'An error occurred on the server; see its log.',
  },
};

const unknownFilter = {
  id: {
    title: 'Saringan tidak dikenal',
    text: 'Saringan ini tidak dikenal, jadi halaman ini tidak menampilkan apa pun:',
    back: 'Tampilkan tanpa saringan',
  },
  en: {
    title: 'Unknown filter',
    text: 'The filter is unknown, so this page shows nothing:',
    back: 'Show the page without filters',
  },
};

/** Joins the values of each parameter, because the selected rows of a list share one name. */
const joined = (values: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.join(' ')]));

/** Adds the pages of the console below `/console` for admitted visitors. */
export function mountConsole(router: Router, deps: ConsoleDependencies & { admit: Admit }): void {
  const viewOf = createViews(deps);
  const counts = createCounts(deps);
  const changes = createChanges({ ...deps, monotonicMs: () => performance.now() });
  const position = async (): Promise<number> => (await changes(null)).position;
  const tabs = (): Record<string, Localised> =>
    Object.fromEntries(sections.flatMap(({ tabs = {} }) => Object.entries(tabs)));
  const sections: readonly ConsoleSection[] = Object.values(createSections).map((create) =>
    create({ ...deps, position, tabs }),
  );
  const actions = sections.flatMap((section) => section.actions);
  const byPath = new Map(actions.map((action) => [action.path, action]));
  const root = ownPaths.console;

  function view(context: PageRequest, visitor: Visitor): View {
    const { pathname, searchParams } = new URL(context.req.url);
    // Removes the message of the last action, so that going back doesn't show it again.
    searchParams.delete('done');
    searchParams.delete('of');
    const search = searchParams.size === 0 ? '' : `?${searchParams}`;
    return viewOf({ visitor, locale: context.env.locale, here: pathname.slice(root.length) + search });
  }

  async function render(shown: View, page: Page, done: Content | null = null): Promise<Response> {
    return renderPage(shown, page, {
      ahead: deps.sandbox?.world().ahead ?? 0,
      storeFails: deps.failure() !== null,
      done,
      counts: await counts(shown),
      timezone: deps.settings.timezone,
    });
  }

  /** Returns the message after an action: the new state of its target, or the action's title if there is no state to show. */
  async function doneOf(shown: View, { req }: PageRequest): Promise<Content | null> {
    const action = byPath.get(req.query('done') ?? '');
    if (!action) return null;
    const now = await action.now?.({ id: req.query('of') ?? '' }, shown);
    return now ?? `${shown.text(frameTexts.done)} ${shown.text(action.title)}`;
  }

  /** Renders a page for an admitted visitor. Errors become pages. */
  const handle =
    (respond: (shown: View, context: PageRequest) => Promise<Page | Response | null>) =>
    async (context: PageRequest): Promise<Response> => {
      const visitor = await deps.admit(context);
      if (visitor instanceof Response) return visitor;
      const shown = view(context, visitor);
      try {
        const result = await respond(shown, context);
        if (result instanceof Response) return result;
        if (result) return await render(shown, result, await doneOf(shown, context));
        const { title, text, back } = shown.text(missing);
        const content = html`<p>${text}</p><a class="button main" href="${shown.link('')}">${back}</a>`;
        return await renderAccessPage(
          { title, content, status: 404 },
          { locale: shown.locale, path: shown.link('') },
        );
      } catch (error) {
        const { title, store, other } = shown.text(failed);
        const isStore = isStoreFailure(error);
        if (!isStore) deps.reportError(error);
        const content = html`<p>${isStore ? store : other}</p>`;
        return render(shown, { section: 'home', title, content, status: isStore ? 503 : 500 });
      }
    };

  router.get(`${root}/files/:file`, ({ req }, next) => fileResponse(req.param('file')) ?? next());
  router.get(
    `${root}/live`,
    handle(async (_shown, { req }) => {
      const after = Number(req.query('after') ?? Number.NaN);
      const since = await changes(Number.isSafeInteger(after) ? after : null);
      return Response.json(
        { ...since, storeFails: deps.failure() !== null },
        {
          headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
        },
      );
    }),
  );
  for (const action of actions) {
    const act = (method: 'GET' | 'POST') =>
      handle(async (shown, context) => {
        const given = method === 'GET' ? joined(context.req.queries()) : await readForm(context);
        const request = { method, params: context.req.param(), given };
        const result = await runAction(action, request, shown, deps);
        if (result.input) {
          const { params, fields, note } = result.input;
          const about = fields.id === undefined ? params : { ...params, id: fields.id };
          deps.logAction({ operator: shown.visitor.operator, action: action.path, about, note });
        }
        if ('page' in result) return result.page;
        const of = action.now && result.input.params.id;
        const [path = '', query = ''] = result.to.split('?');
        const marked = { ...Object.fromEntries(new URLSearchParams(query)), done: action.path, of };
        if (result.cookie !== undefined) context.header('Set-Cookie', result.cookie);
        return context.redirect(shown.link(path + queryText(marked)), 303);
      });
    router.get(root + action.path, act('GET'));
    router.post(root + action.path, act('POST'));
  }
  for (const { path, filters, render: page } of sections.flatMap((section) => section.pages))
    router.get(
      root + path,
      handle(async (shown, context) => {
        const cookie = (name: string): string | undefined => getCookie(context, name);
        const query = context.req.query();
        const unknown = filters ? unknownFilters(query, filters) : [];
        // Reads the counts of the frame together with the page.
        void counts(shown);
        if (unknown.length === 0) return page(shown, { params: context.req.param(), query, cookie });
        const { title, text, back } = shown.text(unknownFilter);
        const content = html`<p>${text} <code>${unknown.join(', ')}</code></p><p><a href="${shown.link(path)}">${back}</a></p>`;
        const rejected: Page = { section: 'home', title, content, status: 400 };
        return rejected;
      }),
    );
  router.all(
    `${root}/*`,
    handle(async () => null),
  );
}
