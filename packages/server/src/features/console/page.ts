import { languageHeaders } from '@topup-kit/core/app';
import { html, htmlHeaders, type Markup } from '../../pages/html.ts';
import { scriptFile, styleFile } from './files.ts';
import { type IconName, icon } from './icons.ts';
import { badge, type Content } from './parts.ts';
import { frameTexts, keyTexts, type Section, sections, sectionTitles } from './texts.ts';
import type { View } from './view.ts';

/** The content of a page, without the console's frame. */
export interface Page {
  section: Section;
  title: string;
  /** List to which the page belongs. */
  back?: { path: string; title: string };
  content: Content;
  /** Actions next to the title. */
  actions?: Content;
  /** The text in the frame's search field. */
  search?: string;
  status?: 200 | 400 | 401 | 403 | 404 | 409 | 500 | 503;
  /**
   * Changes that refresh the page's parts (see script.ts): those of all orders, of the orders in its tables, or of one order by its id.
   * Omitted if no change refreshes the page.
   */
  live?: {
    orders: 'all' | 'shown' | string;
    position: number;
    /** Time between two refreshes without a change, in seconds; 30 by default. */
    everySeconds?: number;
  };
}

/** The data of the console's frame. */
export interface Frame {
  /** Offset of a sandbox's clock, in milliseconds. */
  ahead: number;
  storeFails: boolean;
  /** The message after an action. */
  done: Content | null;
  /** Numbers of orders and payments that wait for an operator. */
  counts: Partial<Record<Section, number>>;
  timezone: string;
}

const pageHeaders = htmlHeaders(
  ["style-src 'self'", "script-src 'self'", 'img-src data:', "connect-src 'self'", "form-action 'self'"],
  'same-origin',
);

const places: Record<Section, { path: string; icon: IconName }> = {
  home: { path: '', icon: 'home' },
  orders: { path: '/orders', icon: 'receipt' },
  payments: { path: '/payments', icon: 'wallet' },
  catalog: { path: '/catalog', icon: 'tag' },
  events: { path: '/events', icon: 'plug' },
  sandbox: { path: '/sandbox', icon: 'flask' },
};

const brand = (view: View, label: string): Markup =>
  html`<a class="brand" href="${view.link('')}" aria-label="Topup Kit">${icon('bolt')}${label}</a>`;

const shownSections = ({ mode }: View): readonly Section[] =>
  sections.filter((section) => section !== 'sandbox' || mode === 'sandbox');

function navigation(view: View, current: Section, { counts }: Frame): Markup {
  const words = view.words(frameTexts);
  const entry = (section: Section): Markup => {
    const { path, icon: name } = places[section];
    const count = counts[section] ?? 0;
    return html`<li${section === 'sandbox' ? html` class="of-strip"` : ''}><a href="${view.link(path)}" data-key="${section[0]}"${current === section ? html` aria-current="page"` : ''}>${icon(name)}${view.text(sectionTitles[section])}${count > 0 ? html` <b>${view.number(count)}<span class="hidden"> ${words.needYou}</span></b>` : ''}</a></li>`;
  };
  return html`<nav class="side" aria-label="${words.navigation}">${brand(view, 'Topup Kit')}<ul id="sections" data-renew>${shownSections(view).map(entry)}</ul></nav>`;
}

const clock = (view: View, { timezone }: Frame): Markup =>
  html`<time id="clock" data-now="${view.now}" data-zone="${timezone}">${view.exactTime(view.now).slice(11, 16)}</time>`;

/** Renders the strip that every page of a sandbox shows. */
function strip(view: View, frame: Frame): Markup | '' {
  if (view.mode === 'live') return '';
  const words = view.words(frameTexts);
  return html`<section class="strip" aria-label="${words.sandbox}">${icon('flask')}<b>${words.sandbox}</b>${clock(view, frame)}${frame.ahead > 0 ? html`<span class="ahead">${view.duration(frame.ahead)} ${words.clockAhead}</span>` : ''}<a href="${view.link('/sandbox')}">${words.controls}</a></section>`;
}

function header(view: View, page: Page, frame: Frame): Markup {
  const words = view.words(frameTexts);
  const { operator, mayAct, token, session } = view.visitor;
  return html`<header class="top">${brand(view, '')}
<search class="search"><form action="${view.link('/orders')}">${icon('search')}<input type="search" name="q" value="${page.search ?? ''}" aria-label="${words.search}" placeholder="${words.searchHint}" autocomplete="off" spellcheck="false"><kbd class="mid" aria-hidden="true">/</kbd></form></search>
${mayAct ? '' : badge(words.readOnly, 'quiet')}${view.mode === 'live' ? html`<p class="mode"><b><span aria-hidden="true">●</span>${words.live}</b><span class="mid">${clock(view, frame)}</span></p>` : ''}
<button type="button" class="avatar" popovertarget="account" aria-label="${operator}: ${words.account}">${operator.charAt(0).toUpperCase()}</button>
<div class="menu" id="account" popover><p><b>${operator}</b></p>
<button type="button" class="needs-script" id="open-help">${icon('question')}${words.help}</button>
${session ? html`<form method="post" action="${view.link('/logout')}"><input type="hidden" name="token" value="${token}"><button>${icon('out')}${words.logOut}</button></form>` : ''}</div>
</header>`;
}

const help = (view: View): Markup => {
  const words = view.words(frameTexts);
  const ofSections = shownSections(view).map((name) => [`g ${name[0]}`, sectionTitles[name]] as const);
  return html`<dialog id="help" aria-labelledby="help-title"><h2 id="help-title">${words.help}</h2><dl>${[
    ...keyTexts,
    ...ofSections,
  ].map(
    ([keys, effect]) =>
      html`<div><dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${view.text(effect)}</dd></div>`,
  )}</dl><form method="dialog"><button>${words.close}</button></form></dialog>`;
};

export async function renderPage(view: View, page: Page, frame: Frame): Promise<Response> {
  const words = view.words(frameTexts);
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
<body class="${view.mode}"${live ? html` data-orders="${live.orders}" data-position="${live.position}" data-live="${view.link('/live')}" data-every="${live.everySeconds ?? 30}"` : ''}>
<a class="skip" href="#main">${words.skip}</a>
${strip(view, frame)}
${navigation(view, page.section, frame)}
${header(view, page, frame)}
<main id="main">
<p class="notice bad" id="offline" role="status" data-ended="${words.ended}" data-offline="${words.offline}" hidden></p>
<p class="notice bad" id="store-fails" role="status"${frame.storeFails ? '' : html` hidden`}>${words.storeFails}</p>
${frame.done === null ? '' : html`<div id="done" data-renew role="status"><p class="notice${typeof frame.done === 'string' ? ' good' : ''}">${frame.done}</p></div>`}
${page.back ? html`<p class="back"><a href="${view.link(page.back.path)}">${icon('left')}${page.back.title}</a></p>` : ''}
<div class="title"><h1>${page.title}</h1>${page.actions ? html`<div class="actions">${page.actions}</div>` : ''}</div>
${page.content}
</main>
${help(view)}
<dialog id="act" aria-labelledby="act-title"></dialog>
</body>
</html>`;
  return new Response(String(body), {
    status: page.status ?? 200,
    headers: { ...pageHeaders, ...languageHeaders(view.locale) },
  });
}
