import { languageHeaders } from '@topup-kit/core/app';
import { html } from 'hono/html';
import { htmlHeaders, type Markup } from '../../pages/html.ts';
import { scriptFile, styleFile } from './files.ts';
import { badge, type Content } from './parts.ts';
import { frameTexts, type Section, sections, sectionTitles } from './texts.ts';
import type { View } from './view.ts';

/** A page of the console, without its frame. */
export interface Page {
  section: Section;
  title: string;
  content: Content;
  /** Beside the title: what the page lets its visitor do. */
  actions?: Content;
  /** A search that the field in the frame shows. */
  search?: string;
  status?: 200 | 400 | 401 | 403 | 404 | 409 | 500 | 503;
  /**
   * Which changes of orders renew the page's parts (see script.ts): of all orders, of those in its tables, or of one, by its id. None when it
   * is left out.
   */
  live?: {
    orders: 'all' | 'shown' | string;
    position: number;
    /** They are also renewed after so many seconds without a change; 30 by default. */
    everySeconds?: number;
  };
}

/** How the frame describes the server. */
export interface Frame {
  /** How far a sandbox's clock is ahead, in milliseconds. */
  ahead: number;
  storeFails: boolean;
  /** What an action did, after it was done. */
  done: string | null;
}

const pageHeaders = htmlHeaders(
  ["style-src 'self'", "script-src 'self'", 'img-src data:', "connect-src 'self'", "form-action 'self'"],
  'same-origin',
);

const paths: Record<Section, string> = {
  home: '',
  orders: '/orders',
  catalog: '/catalog',
  events: '/events',
  sandbox: '/sandbox',
};

function navigation(view: View, current: Section): Markup {
  const shown = sections.filter((section) => section !== 'sandbox' || view.mode === 'sandbox');
  const entry = (section: Section): Markup =>
    html`<li><a href="${view.link(paths[section])}" data-key="${section[0]}"${current === section ? html` aria-current="page"` : ''}>${view.text(sectionTitles[section])}</a></li>`;
  return html`<nav aria-label="${view.text(frameTexts).navigation}"><ul>${shown.map(entry)}</ul></nav>`;
}

const units = { id: { day: 'hr', hour: 'j', minute: 'mnt' }, en: { day: 'd', hour: 'h', minute: 'min' } };

/** `3 d 4 h`, `25 min`. */
function duration(view: View, ms: number): string {
  const { day, hour, minute } = view.text(units);
  const minutes = Math.round(ms / 60_000);
  const parts: [number, string][] = [
    [Math.floor(minutes / 1_440), day],
    [Math.floor((minutes % 1_440) / 60), hour],
    [minutes % 60, minute],
  ];
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ') || `0 ${minute}`;
}

function header(view: View, page: Page, frame: Frame): Markup {
  const texts = view.text(frameTexts);
  const { operator, mayAct, token, session } = view.visitor;
  return html`<header>
<a class="brand" href="${view.link('')}">Topup Kit</a>${badge(texts[view.mode], view.mode === 'live' ? 'bad' : 'busy')}
${frame.ahead > 0 ? html`<span class="ahead">${texts.clockAhead} ${duration(view, frame.ahead)}</span>` : ''}
<search><form action="${view.link('/orders')}"><input type="search" name="q" value="${page.search ?? ''}" aria-label="${texts.search}" placeholder="${texts.searchHint}" autocomplete="off" spellcheck="false"></form></search>
<span class="who">${operator}${mayAct ? '' : html` ${badge(texts.readOnly, 'quiet')}`}</span>
${session ? html`<form method="post" action="${view.link('/logout')}"><input type="hidden" name="token" value="${token}"><button class="plain">${texts.logOut}</button></form>` : ''}
<button type="button" class="plain needs-script" id="open-help" aria-label="${texts.help}">?</button>
</header>`;
}

const help = (view: View): Markup => {
  const texts = view.text(frameTexts);
  return html`<dialog id="help" aria-labelledby="help-title"><h2 id="help-title">${texts.help}</h2><dl>${texts.keys.map(
    ({ keys, effect }) =>
      html`<div><dt>${keys.split(/,? /).map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${effect}</dd></div>`,
  )}</dl><form method="dialog"><button>${texts.close}</button></form></dialog>`;
};

/** Renders a page in the frame of the console. */
export async function renderPage(view: View, page: Page, frame: Frame): Promise<Response> {
  const texts = view.text(frameTexts);
  const { live } = page;
  const body = await html`<!doctype html>
<html lang="${view.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Topup Kit</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${view.link(styleFile.path)}">
<script type="module" src="${view.link(scriptFile.path)}"></script>
</head>
<body${live ? html` data-orders="${live.orders}" data-position="${live.position}" data-live="${view.link('/live')}" data-every="${live.everySeconds ?? 30}"` : ''}>
<a class="skip" href="#main">${texts.skip}</a>
${header(view, page, frame)}
${navigation(view, page.section)}
<p class="notice bad" id="offline" role="status" data-ended="${texts.ended}" data-offline="${texts.offline}" hidden></p>
<p class="notice bad" id="store-fails" role="status"${frame.storeFails ? '' : html` hidden`}>${texts.storeFails}</p>
<main id="main">
${frame.done === null ? '' : html`<p class="notice good" role="status">${texts.done} ${frame.done}</p>`}
<div class="title"><h1>${page.title}</h1>${page.actions ? html`<div class="actions">${page.actions}</div>` : ''}</div>
${page.content}
</main>
${help(view)}
</body>
</html>`;
  return new Response(String(body), {
    status: page.status ?? 200,
    headers: { ...pageHeaders, ...languageHeaders(view.locale) },
  });
}
