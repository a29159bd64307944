import {
  type AppSettings,
  type CodeTarget,
  clientCode,
  type PlainResponse,
  toResponse,
} from '@topup-kit/core/app';
import {
  createOpenApi,
  type ExampleObject,
  type HeaderObject,
  type JsonSchema,
  type OpenApiDocument,
  type OperationObject,
  type ResponseObject,
  type WebhookObject,
} from '@topup-kit/core/openapi';
import { html, raw } from 'hono/html';
import { codeSamples } from './api-page-code.ts';
import { sandboxContents, sandboxSections } from './api-page-sandbox.ts';
import {
  entry,
  fieldList,
  idOf,
  nameOf,
  prose,
  schemaSection,
  sourceMark,
  typeText,
} from './api-page-schema.ts';
import { keyField, searchForm, searchScript, tryForm, tryScript } from './api-page-script.ts';
import { apiPageStyle } from './developer-style.ts';
import { copyScript, htmlHeaders, inlineSource, type Markup, snippet } from './html.ts';

/** The objects of the OpenAPI document by name. */
type Objects = Record<string, JsonSchema>;

function parameterList({ parameters }: OperationObject): Markup | string {
  if (parameters.length === 0) return '';
  return html`<h4>Parameters</h4>
<dl>${parameters.map(({ name, required, description, schema, in: place, 'x-topup-source': source }) =>
    entry({
      name,
      type: [`${place}, `, ...typeText(schema)],
      needed: required ? 'required' : '',
      description,
      source,
    }),
  )}</dl>`;
}

/** The request body. Its fields are shown in place, because the client has to write them. */
function requestPart({ requestBody }: OperationObject, objects: Objects): Markup | string {
  if (!requestBody) return '';
  const { schema, examples } = requestBody.content['application/json'];
  const body = objects[nameOf(schema)];
  return html`<h4>Request body</h4>
<p>${typeText(schema)}${body && [': ', ...prose(body.description ?? '')]}</p>
${body && fieldList(body)}
${exampleDetails(examples)}`;
}

/** All examples, folded into one line. */
function exampleDetails(examples: Record<string, ExampleObject>): Markup {
  const shown = Object.values(examples);
  return html`<details><summary>${shown.length === 1 ? 'Example' : `${shown.length} examples`}</summary>${shown.map(
    ({ summary, value }) => html`<p>${summary}</p><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`,
  )}</details>`;
}

const headerList = (headers: Record<string, HeaderObject>): Markup =>
  html`<details><summary>Headers</summary><dl>${Object.entries(headers).map(
    ([name, { description, schema, 'x-topup-source': source }]) =>
      entry({ name, type: typeText(schema), needed: '', description, source }),
  )}</dl></details>`;

/** The errors of a status. The table scrolls by itself when it is too wide for the page. */
const errorTable = (status: string, { 'x-topup-errors': errors = [] }: ResponseObject): Markup =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="Errors with status ${status}"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Message (id)</th><th scope="col">Message (en)</th><th scope="col">Source</th></tr></thead>
<tbody>${errors.map(
    ({ code, shape, message, 'x-topup-source': source }) =>
      html`<tr><th scope="row"><code>${code}</code></th>${
        shape === 'validation'
          ? html`<td colspan="2">the first message in <code>errors</code>, followed by the number of other messages</td>`
          : html`<td lang="id">${message.id}</td><td>${message.en}</td>`
      }<td>${sourceMark(source)}</td></tr>`,
  )}</tbody></table></div>`;

function responsePart(status: string, response: ResponseObject): Markup {
  const body = response.content?.['application/json'];
  const [description = ''] = response.description.split('\n\n');
  return html`<section class="response">
<h4><span class="status">${status}</span> ${prose(description)} ${sourceMark(response['x-topup-source'])}</h4>
${body ? html`<p>${typeText(body.schema)}</p>` : ''}
${response['x-topup-errors'] ? errorTable(status, response) : ''}
${body ? exampleDetails(body.examples) : ''}
${headerList(response.headers)}
</section>`;
}

/** What the page documents. */
interface Target extends CodeTarget {
  basePath: string;
  publicUrl: string;
}

interface PathOperation {
  path: string;
  method: string;
  operation: OperationObject;
}

/** An operation: code that sends it, its parameters, its request body and all its responses. */
function operationSection(
  { path, method, operation }: PathOperation,
  objects: Objects,
  target: Target,
): Markup {
  const { operationId, parameters, requestBody } = operation;
  const [example] = Object.values(requestBody?.content['application/json'].examples ?? {});
  const request = { method: method.toUpperCase(), path, ...(example && { body: example.value }) };
  const samplesIn = (place: string) =>
    parameters.filter((parameter) => parameter.in === place && parameter.example !== undefined);
  const inPath = Object.fromEntries(samplesIn('path').map(({ name, example }) => [name, String(example)]));
  const inQuery = Object.fromEntries(samplesIn('query').map(({ name, example }) => [name, example]));
  return html`<section class="card operation" id="${operationId}">
<h3>${operation.summary} ${sourceMark(operation['x-topup-source'])}</h3>
<p class="address"><code>${request.method} ${path}</code></p>
<p>${prose(operation.description)}</p>
${codeSamples({ ...request, operation: operationId, query: inQuery }, inPath, target)}
${tryForm({ ...request, id: operationId, base: target.basePath, parameters })}
${parameterList(operation)}
${requestPart(operation, objects)}
${Object.entries(operation.responses).map(([status, response]) => responsePart(status, response))}
</section>`;
}

/** The body of a webhook as an object of its own, without the restriction to one type. */
const bodyOf = ({ requestBody }: WebhookObject): JsonSchema =>
  requestBody.content['application/json'].schema.allOf?.[0] ?? {};

/** A webhook: its headers, its body, and what comes of the responses. */
const webhookSection = (
  type: string,
  webhook: WebhookObject,
): Markup => html`<section class="card operation" id="${type}">
<h3>${webhook.summary} ${sourceMark(webhook['x-topup-source'])}</h3>
<p class="address"><code>${type}</code></p>
<p>${prose(webhook.description)}</p>
${headerList(Object.fromEntries(webhook.parameters.map((parameter) => [parameter.name, parameter])))}
<h4>Request body</h4>
<p>${typeText(bodyOf(webhook))}</p>
${exampleDetails(webhook.requestBody.content['application/json'].examples)}
<h4>Responses</h4>
<dl>${Object.entries(webhook.responses).map(
  ([status, { description }]) =>
    html`<div><dt><span class="status">${status}</span></dt><dd>${prose(description)}</dd></div>`,
)}</dl>
</section>`;

/** A group of entries, on the page and in its contents. */
interface Group {
  id: string;
  name: string;
  description: string;
  entries: { id: string; title: string; address: string }[];
  sections: Markup[];
}

const groupPart = ({ id, name, description, sections }: Group): Markup => html`<div class="group" id="${id}">
<h2>${name}</h2>
<p>${prose(description)}</p>
${sections}
</div>`;

const contentsPart = ({ id, name, entries }: Group): Markup => html`<div data-group="${id}">
<h2>${name}</h2>
<ul>${entries.map(
  ({ id, title, address }) => html`<li><a href="#${id}">${title}</a> <code>${address}</code></li>`,
)}</ul>
</div>`;

function groupsOf(document: OpenApiDocument, target: Target): Group[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): PathOperation => ({ path, method, operation })),
  );
  const ofInterface = document.tags.map(({ name, description }): Group => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const sent = Object.entries(document.webhooks).filter(([, { post }]) => post.tags.includes(name));
    return {
      id: `group-${name}`,
      name,
      description,
      entries: [
        ...own.map(({ path, method, operation }) => ({
          id: operation.operationId,
          title: operation.summary,
          address: `${method.toUpperCase()} ${path}`,
        })),
        ...sent.map(([type, { post }]) => ({ id: type, title: post.summary, address: type })),
      ],
      sections: [
        ...own.map((operation) => operationSection(operation, document.components.schemas, target)),
        ...sent.map(([type, { post }]) => webhookSection(type, post)),
      ],
    };
  });
  if (target.mode === 'live') return ofInterface;
  const sandbox: Group = {
    id: 'group-sandbox',
    name: 'Sandbox',
    description:
      'Control routes, which only a sandbox has. They are at the root of the server, not below the base path. Requests of the same machine need no key; all others need the one in `TOPUP_API_KEY`.',
    entries: sandboxContents,
    sections: sandboxSections(target.publicUrl),
  };
  return [...ofInterface, sandbox];
}

const script = `${tryScript}${copyScript}${searchScript}`;

const headers = {
  ...htmlHeaders([
    `style-src ${inlineSource(apiPageStyle)}`,
    `script-src ${inlineSource(script)}`,
    "connect-src 'self'",
    "form-action 'none'",
  ]),
};

/** Renders the whole OpenAPI document as one HTML page. Only "Try it", the search and the copy buttons need its script. */
function render(
  { publicUrl, basePath, limits }: AppSettings,
  mode: 'live' | 'sandbox',
): Promise<string> | Markup {
  const baseUrl = publicUrl + basePath;
  const document = createOpenApi({ serverUrl: baseUrl, limits });
  const target: Target = { baseUrl, mode, basePath, publicUrl };
  const groups = groupsOf(document, target);
  const { ApiKey: key } = document.components.securitySchemes;
  const schemas = Object.entries(document.components.schemas);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title}: API</title>
<style>${raw(apiPageStyle)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<h1>${document.info.title}</h1>
<p>${document.info.summary} Version ${document.info.version}, <a href="openapi.json">openapi.json</a>.</p>
<p>Server address <code>${baseUrl}</code></p>
</header>
<nav aria-label="Contents">
${searchForm}
${groups.map(contentsPart)}
<div data-group="group-objects">
<h2>Objects</h2>
<ul class="objects">${schemas.map(([name]) => html`<li><a href="#${idOf(name)}">${name}</a></li>`)}</ul>
</div>
</nav>
<main id="content">
<section class="card intro">
<h2>Before you start</h2>
${document.info.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
${key && html`<p>Send the key in the header <code>${key.name}</code>. ${prose(key.description)}</p>`}
${snippet({
  id: 'client',
  heading: html`<h3>The client of the SDK</h3>`,
  name: 'the code that creates the client',
  text: clientCode(target),
})}
${keyField(mode)}
</section>
${groups.map(groupPart)}
<div class="group" id="group-objects">
<h2>Objects</h2>
${schemas.map(([name, schema]) => schemaSection(name, schema))}
</div>
</main>
<script type="module">${raw(script)}</script>
</body>
</html>`;
}

/** Serves the API page of a deployment. The page is rendered on the first request. */
export function createApiPage(settings: AppSettings, mode: 'live' | 'sandbox'): () => Promise<Response> {
  let page: Promise<PlainResponse> | undefined;
  async function prepare(): Promise<PlainResponse> {
    const body = new TextEncoder().encode(String(await render(settings, mode)));
    return { status: 200, headers: { ...headers, 'Content-Language': 'en' }, body };
  }
  return async () => {
    page ??= prepare();
    return toResponse(await page);
  };
}
