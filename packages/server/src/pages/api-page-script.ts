import { headers, sandboxKey } from '@topup-kit/core/contract';
import { html } from 'hono/html';
import type { Markup } from './html.ts';

/** Shows only the operations and objects that contain every word of the search, on the page and in its contents. */
export const searchScript = `
const search = document.querySelector('.search');
const searchField = search.querySelector('input');
search.hidden = false;
const contents = new Map([...document.querySelectorAll('nav a')].map((link) => [link.hash, link.closest('li')]));
const groups = [...document.querySelectorAll('.group')].map((group) => ({
  parts: [group, document.querySelector('[data-group="' + group.id + '"]')],
  entries: [...group.querySelectorAll('.card')].map((card) => ({
    parts: [card, contents.get('#' + card.id)],
    text: card.textContent.toLowerCase(),
  })),
}));
const setHidden = (parts, hidden) => { for (const part of parts) part.hidden = hidden; };

function filter() {
  const wanted = searchField.value.trim().toLowerCase();
  const words = wanted.split(/\\s+/);
  document.querySelector('.intro').hidden = wanted !== '';
  let count = 0;
  for (const { parts, entries } of groups) {
    let found = 0;
    for (const { parts, text } of entries) {
      const matches = words.every((word) => text.includes(word));
      setHidden(parts, !matches);
      if (matches) found += 1;
    }
    setHidden(parts, found === 0);
    count += found;
  }
  search.querySelector('output').textContent = wanted === '' ? '' : count === 0 ? 'Nothing found' : count + ' found';
}

searchField.addEventListener('input', filter);
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target?.closest('[hidden]')) return;
  searchField.value = '';
  filter();
  target.scrollIntoView();
});
// Browsers keep what was searched for when the page is loaded again.
filter();
`;

/** The search field. It is hidden without the script. */
export const searchForm: Markup = html`<search class="search" hidden>
<label>Search <input type="search" placeholder="PROMO_EXPIRED, qr_url, 422…" autocomplete="off" spellcheck="false"></label>
<output></output>
</search>`;

/**
 * The script behind "Try it": a module that browsers run unchanged. It sends a request to the server of the page and shows
 * the request, the status, the headers and the body as they were.
 */
export const tryScript = `
const root = location.pathname.replace(/\\/docs\\/?$/, '');
const key = document.querySelector('.key input');
document.querySelector('.key').hidden = false;

function requestOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = { Accept: 'application/json' };
  if (key.value !== '') headers['${headers.apiKey}'] = key.value;
  for (const { name, value, dataset } of form.querySelectorAll('input')) {
    if (dataset.in === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value));
    else if (dataset.in === 'query') { if (value !== '') query.set(name, value); }
    else if (value !== '') headers[name] = value;
  }
  const body = form.querySelector('textarea')?.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return { method: form.dataset.method, url: root + form.dataset.base + path + (query.size === 0 ? '' : '?' + query), headers, body };
}

const headerLines = (headers) => [...headers].map(([name, value]) => name + ': ' + value).join('\\n');

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

function block(title, text) {
  const heading = document.createElement('h4');
  heading.textContent = title;
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.textContent = text;
  return [heading, pre];
}

async function send(form) {
  const { method, url, headers, body } = requestOf(form);
  const sent = method + ' ' + url + '\\n' + headerLines(Object.entries(headers)) + (body === undefined ? '' : '\\n\\n' + body);
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { method, headers, body, cache: 'no-store', signal: AbortSignal.timeout(30000) });
    const text = await response.text();
    const milliseconds = Math.round(performance.now() - startedAt);
    return [
      ...block('Request', sent),
      ...block('Response: status ' + response.status + ', ' + milliseconds + ' ms', headerLines(response.headers) + '\\n\\n' + pretty(text)),
    ];
  } catch (error) {
    return [...block('Request', sent), ...block('No response', 'The server could not be reached, or did not respond in time: ' + error.message)];
  }
}

for (const form of document.querySelectorAll('.try form')) {
  form.parentElement.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    form.querySelector('output').replaceChildren(...(await send(form)));
    button.disabled = false;
  });
}
`;

/** The key that "Try it" sends. In a sandbox it is the well-known one. */
export const keyField = (mode: 'live' | 'sandbox'): Markup => html`<p class="key" hidden>
<label>Key for "Try it"<input name="${headers.apiKey}" value="${mode === 'sandbox' ? sandboxKey : ''}" autocomplete="off" spellcheck="false"></label>
${mode === 'live' ? 'This is a live server: "Try it" places real orders. The key stays in this page.' : ''}
</p>`;

/** A request that a visitor can change and send. */
interface TriedRequest {
  id: string;
  method: string;
  path: string;
  /** The path below which it is: that of the interface, or empty. */
  base: string;
  parameters: { name: string; in: string; required: boolean; example?: string | number }[];
  body?: unknown;
}

const parameterField = (
  id: string,
  { name, in: place, example, required }: TriedRequest['parameters'][number],
): Markup =>
  html`<label for="${id}-${name}">${name}, ${place}${required ? '' : ', optional'}</label>
<input id="${id}-${name}" name="${name}" data-in="${place}" value="${required ? (example ?? '') : ''}" ${required ? 'required' : ''} autocomplete="off" spellcheck="false">`;

const bodyField = ({ id, body }: TriedRequest): Markup | string =>
  body === undefined
    ? ''
    : html`<label for="${id}-body">Body, JSON</label>
<textarea id="${id}-body" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea>`;

/** A form that sends a request to this server. It is hidden without the script. */
export const tryForm = (
  request: TriedRequest,
): Markup => html`<details class="try" hidden><summary>Try it</summary>
<form data-method="${request.method}" data-path="${request.path}" data-base="${request.base}">
${request.parameters.map((parameter) => parameterField(request.id, parameter))}
${bodyField(request)}
<p><button>Send the request</button></p>
<output></output>
</form></details>`;
