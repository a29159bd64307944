import { type CodeTarget, curlCommand } from '@topup-kit/core/app';
import { headers, sandboxKey } from '@topup-kit/core/contract';
import type { Content } from './api-page-parts.ts';
import { html, type Markup, snippet } from './html.ts';

export interface Target extends CodeTarget {
  publicUrl: string;
}

/** Request that the page shows as code, and that a visitor can change and send. */
export interface ShownRequest {
  id: string;
  method: string;
  /** Path below the root of the server. */
  path: string;
  parameters: readonly { name: string; in: string; required: boolean; example?: string | number }[];
  body?: unknown;
}

/** Control route of a simulation, or several routes that differ in their last part. */
export interface ControlRoute extends ShownRequest {
  title: string;
  description: string;
  more?: Content;
}

/** Returns the examples of the parameters in the path or in the query, by name. */
export const samplesOf = (
  { parameters }: ShownRequest,
  place: 'path' | 'query',
): Map<string, string | number> =>
  new Map(
    parameters.flatMap(({ name, in: where, example }) =>
      where === place && example !== undefined ? [[name, example] as const] : [],
    ),
  );

function curlOf(request: ShownRequest, { publicUrl, mode }: Target): string {
  const inPath = samplesOf(request, 'path');
  const path = request.path.replace(/\{(\w+)\}/g, (_, name: string) => String(inPath.get(name)));
  const query = [...samplesOf(request, 'query')].map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  const url = `${publicUrl}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  return curlCommand({ ...request, url }, mode);
}

/** Renders a form that sends a request to this server. It is hidden without the script. */
const tryForm = ({ method, path, parameters, body }: ShownRequest): Markup =>
  html`<details class="scripted"><summary>Try it</summary>
<form data-method="${method}" data-path="${path}">
${parameters.map(
  ({ name, in: place, required, example }) =>
    html`<label>${name}, ${place}${required ? '' : ', optional'}
<input name="${name}" data-in="${place}" value="${required ? (example ?? '') : ''}" ${required ? 'required' : ''} autocomplete="off" spellcheck="false"></label>`,
)}
${body !== undefined && html`<label>Body, JSON<textarea spellcheck="false">${JSON.stringify(body, null, 2)}</textarea></label>`}
<p><button>Send the request</button></p>
<output></output>
</form></details>`;

/** Renders a request as a curl command and as a call of the SDK, if there is such a call, and the form that sends the request. */
export const codeAndForm = (request: ShownRequest, target: Target, sdkCall?: string): Content => [
  snippet({
    id: `${request.id}-curl`,
    heading: html`<h3>curl</h3>`,
    name: 'the command',
    text: curlOf(request, target),
  }),
  sdkCall &&
    snippet({
      id: `${request.id}-sdk`,
      heading: html`<h3>SDK</h3>`,
      name: 'the call of the SDK',
      text: sdkCall,
    }),
  tryForm(request),
];

/** Renders the field with the key that "Try it" sends. A sandbox fills in its well-known key. */
export const keyField = (mode: 'live' | 'sandbox'): Markup =>
  html`<p class="scripted"><label>Key for "Try it"<input id="key" value="${mode === 'sandbox' ? sandboxKey : ''}" autocomplete="off" spellcheck="false"></label>
${mode === 'live' ? 'This is a live server: "Try it" places real orders. The key stays in this page.' : ''}</p>`;

/**
 * Script behind "Try it" and the search, which browsers run unchanged. "Try it" sends a request to the server of the page and shows the
 * request, and the status, headers and body of the response unchanged. The search shows only the entries whose cards contain every word.
 */
export const apiPageScript = `
const root = location.pathname.replace(/\\/docs\\/?$/, '');

function requestOf({ dataset, elements }) {
  let path = dataset.path;
  const query = new URLSearchParams();
  const headers = { Accept: 'application/json' };
  const key = document.getElementById('key').value;
  if (key) headers['${headers.apiKey}'] = key;
  let body;
  for (const { name, value, dataset, type } of elements) {
    if (type === 'textarea') { body = value; headers['Content-Type'] = 'application/json'; }
    else if (dataset.in === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value));
    else if (dataset.in === 'query' && value) query.set(name, value);
    else if (dataset.in === 'header' && value) headers[name] = value;
  }
  return { method: dataset.method, url: root + path + (query.size ? '?' + query : ''), headers, body };
}

const headerLines = (headers) => [...headers].map(([name, value]) => name + ': ' + value).join('\\n');

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

function block(title, ...texts) {
  const heading = document.createElement('h3');
  const pre = document.createElement('pre');
  heading.textContent = title;
  pre.tabIndex = 0;
  pre.textContent = texts.filter((text) => text !== undefined).join('\\n\\n');
  return [heading, pre];
}

async function send(form) {
  const { method, url, headers, body } = requestOf(form);
  const sent = block('Request', method + ' ' + url + '\\n' + headerLines(Object.entries(headers)), body);
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { method, headers, body, cache: 'no-store', signal: AbortSignal.timeout(30000) });
    const text = await response.text();
    const title = 'Response: status ' + response.status + ', ' + Math.round(performance.now() - startedAt) + ' ms';
    return [...sent, ...block(title, headerLines(response.headers), pretty(text))];
  } catch (error) {
    return [...sent, ...block('No response', 'The server could not be reached, or did not respond in time: ' + error.message)];
  }
}

document.addEventListener('submit', async (event) => {
  event.preventDefault();
  event.submitter.disabled = true;
  event.target.querySelector('output').replaceChildren(...(await send(event.target)));
  event.submitter.disabled = false;
});

const search = document.querySelector('search input');

function filter() {
  const words = search.value.toLowerCase().split(/\\s+/);
  let count = 0;
  for (const group of document.querySelectorAll('nav details')) {
    const found = [...group.querySelectorAll('li')].filter((item) => {
      const text = document.getElementById(item.firstChild.hash.slice(1)).textContent.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      return !item.hidden;
    });
    group.hidden = found.length === 0;
    group.open ||= search.value !== '';
    count += found.length;
  }
  document.querySelector('search output').textContent = search.value.trim() && (count || 'Nothing') + ' found';
}

search.addEventListener('input', filter);
// Browsers keep the search text when the page is reloaded.
filter();
`;
