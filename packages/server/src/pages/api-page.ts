import { type AppSettings, clientCode, type PlainResponse, sdkCall, toResponse } from '@topup-kit/core/app';
import { createOpenApi, type OpenApiDocument, type OperationObject } from '@topup-kit/core/openapi';
import { type Content, type Described, fieldList, folds, idOf, prose, sourceMark } from './api-page-parts.ts';
import {
  apiPageScript,
  type ControlRoute,
  codeAndForm,
  keyField,
  samplesOf,
  type Target,
} from './api-page-request.ts';
import { apiPageStyle } from './developer-style.ts';
import { copyScript, html, htmlHeaders, inlineSource, type Markup, raw, snippet } from './html.ts';

/** Part of the page that is shown alone: an operation, a type of event, a control route or an object. */
interface Card {
  id: string;
  title: string;
  address?: string;
  source?: string | undefined;
  content: Content;
}

/** Cards of one kind, as the table of contents lists them. */
interface Group {
  name: string;
  /** Facts that apply to all cards of the group. */
  description: string;
  cards: Card[];
}

interface Page extends Target {
  basePath: string;
  document: OpenApiDocument;
  /** Routes of a sandbox; none in live mode. */
  controls: readonly ControlRoute[];
}

/** Renders an operation or an event, with the code that sends it between its description and its details. */
const describedCard = (
  id: string,
  address: string,
  described: Described,
  { document }: Page,
  code?: Content,
): Card => ({
  id,
  title: described.summary,
  address,
  source: described['x-topup-source'],
  content: [
    html`<p>${prose(described.description)}</p>`,
    code,
    folds(described, document.components.schemas),
  ],
});

function operationCard(path: string, method: string, operation: OperationObject, page: Page): Card {
  const { operationId: id, parameters, requestBody } = operation;
  const [example] = Object.values(requestBody?.content['application/json'].examples ?? {});
  const request = {
    id,
    method: method.toUpperCase(),
    path: page.basePath + path,
    parameters,
    ...(example && { body: example.value }),
  };
  const query = samplesOf(request, 'query');
  const [inPath] = samplesOf(request, 'path').values();
  const call = sdkCall(id, request.body ?? (query.size > 0 ? Object.fromEntries(query) : (inPath ?? {})));
  return describedCard(id, `${request.method} ${path}`, operation, page, codeAndForm(request, page, call));
}

/** Renders the facts that apply to all operations, and the place of the key. */
function startCard({ document: { info, components }, ...target }: Page): Card {
  const { ApiKey: key } = components.securitySchemes;
  return {
    id: 'start',
    title: 'Before you start',
    content: [
      info.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`),
      key && html`<p>Send the key in the header <code>${key.name}</code>. ${prose(key.description)}</p>`,
      snippet({
        id: 'client',
        heading: html`<h3>The client of the SDK</h3>`,
        name: 'the code that creates the client',
        text: clientCode(target),
      }),
    ],
  };
}

function groupsOf(page: Page): Group[] {
  const { info, tags, paths, webhooks, components } = page.document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const sandbox = page.controls.map(({ title, description, more, ...request }) => ({
    id: request.id,
    title,
    address: `${request.method} ${request.path}`,
    source: 'ours',
    content: [html`<p>${prose(description)}</p>`, more, codeAndForm(request, page)],
  }));
  return [
    { name: 'Start', description: info.summary, cards: [startCard(page)] },
    ...tags.map(({ name, description }) => ({
      name,
      description,
      cards: [
        ...operations
          .filter(({ operation }) => operation.tags.includes(name))
          .map(({ path, method, operation }) => operationCard(path, method, operation, page)),
        ...Object.entries(webhooks)
          .filter(([, { post }]) => post.tags.includes(name))
          .map(([type, { post }]) => describedCard(type, type, post, page)),
      ],
    })),
    {
      name: 'Sandbox',
      description:
        'Control routes, which only a sandbox has. They are at the root of the server, not below the base path. Requests from the same machine need no key; all others need the key in `TOPUP_API_KEY`.',
      cards: sandbox,
    },
    {
      name: 'Objects',
      description: 'The bodies of requests, responses and events.',
      cards: Object.entries(components.schemas).map(([name, schema]) => ({
        id: idOf(name),
        title: name,
        source: schema['x-topup-source'],
        content: [html`<p>${prose(schema.description)}</p>`, fieldList(schema)],
      })),
    },
  ].filter(({ cards }) => cards.length > 0);
}

/** Renders the contents. The objects are folded, because operations link to them. */
const contentsOf = ({ name, cards }: Group): Markup => html`<details ${name === 'Objects' ? '' : 'open'}>
<summary><h2>${name}</h2></summary>
<ul>${cards.map(
  ({ id, title, address }) =>
    html`<li><a href="#${id}">${title}</a>${address && html` <code>${address}</code>`}</li>`,
)}</ul>
</details>`;

const cardPart = (
  { id, title, address, source, content }: Card,
  { description }: Group,
): Markup => html`<section class="card" id="${id}">
<p class="back"><a href="#contents">Contents</a></p>
<h2>${title} ${sourceMark(source)}</h2>
${address && html`<p class="address"><code>${address}</code></p>`}
<p class="soft">${prose(description)}</p>
${content}
</section>`;

const script = `${copyScript}${apiPageScript}`;

const headers = {
  ...htmlHeaders([
    `style-src ${inlineSource(apiPageStyle)}`,
    `script-src ${inlineSource(script)}`,
    "connect-src 'self'",
    "form-action 'none'",
  ]),
  'Content-Language': 'en',
};

/** Renders the whole OpenAPI document. The style shows one card at a time; only "Try it", the search and the copy buttons need the script. */
async function render(
  { publicUrl, basePath, limits }: AppSettings,
  mode: Target['mode'],
  controls: readonly ControlRoute[],
): Promise<string> {
  const baseUrl = publicUrl + basePath;
  const document = createOpenApi({ serverUrl: baseUrl, limits });
  const { title, version } = document.info;
  const groups = groupsOf({ baseUrl, basePath, publicUrl, mode, document, controls });
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: API</title>
<style>${raw(apiPageStyle)}</style>
</head>
<body>
<a class="skip" href="#start">Skip the contents</a>
<header>
<h1>${title}</h1>
<p>Version ${version}, <a href="openapi.json">openapi.json</a>, server address <code>${baseUrl}</code></p>
${keyField(mode)}
</header>
<nav id="contents" aria-label="Contents">
<search class="scripted"><label>Search <input type="search" placeholder="PROMO_EXPIRED, qr_url, 422…" autocomplete="off" spellcheck="false"></label>
<output></output></search>
${groups.map(contentsOf)}
</nav>
<main>
${groups.map((group) => group.cards.map((card) => cardPart(card, group)))}
</main>
<script type="module">${raw(script)}</script>
</body>
</html>`;
  return String(page);
}

/** Serves the API page of a deployment. The page is rendered on the first request. */
export function createApiPage(
  settings: AppSettings,
  mode: Target['mode'],
  controls: readonly ControlRoute[],
): () => Promise<Response> {
  let page: Promise<PlainResponse> | undefined;
  async function prepare(): Promise<PlainResponse> {
    return { status: 200, headers, body: new TextEncoder().encode(await render(settings, mode, controls)) };
  }
  return async () => {
    page ??= prepare();
    return toResponse(await page);
  };
}
