import { type AppSettings, type PlainResponse, toResponse } from '@topup-kit/core/app';
import {
  createOpenApi,
  type ExampleObject,
  type HeaderObject,
  type JsonSchema,
  type OperationObject,
  type ResponseObject,
} from '@topup-kit/core/openapi';
import { html, raw } from 'hono/html';
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
import { keyField, tryForm, tryScript } from './api-page-try.ts';
import { apiPageStyle } from './developer-style.ts';
import { htmlHeaders, inlineSource, type Markup } from './html.ts';

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

/** An operation: its parameters, its request body and all its responses. */
export const operationSection = (operation: OperationObject, address: string, objects: Objects): Markup =>
  html`<section class="operation" id="${operation.operationId}">
<h3>${operation.summary} ${sourceMark(operation['x-topup-source'])}</h3>
<p class="address"><code>${address}</code></p>
<p>${prose(operation.description)}</p>
${parameterList(operation)}
${requestPart(operation, objects)}
${tryForm(operation, address)}
${Object.entries(operation.responses).map(([status, response]) => responsePart(status, response))}
</section>`;

const headers = {
  ...htmlHeaders([
    `style-src ${inlineSource(apiPageStyle)}`,
    `script-src ${inlineSource(tryScript)}`,
    "connect-src 'self'",
    "form-action 'none'",
  ]),
};

/** Renders the whole OpenAPI document as one HTML page. Only "Try it" needs its script. */
function render(
  { publicUrl, basePath, limits }: AppSettings,
  mode: 'live' | 'sandbox',
): Promise<string> | Markup {
  const document = createOpenApi({ serverUrl: publicUrl + basePath, limits });
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const { ApiKey: key } = document.components.securitySchemes;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title}: API</title>
<style>${raw(apiPageStyle)}</style>
</head>
<body data-base-path="${basePath}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<h1>${document.info.title}</h1>
<p>${document.info.summary} Version ${document.info.version}, <a href="openapi.json">openapi.json</a>.</p>
<p>Server address <code>${publicUrl + basePath}</code></p>
</header>
<nav aria-label="Contents">
${groups.map(
  (group) => html`<h2>${group.name}</h2>
<ul>${group.operations.map(
    ({ path, method, operation }) =>
      html`<li><a href="#${operation.operationId}">${operation.summary}</a> <code>${method.toUpperCase()} ${path}</code></li>`,
  )}</ul>`,
)}
<h2>Objects</h2>
<ul class="objects">${Object.keys(document.components.schemas).map((name) => html`<li><a href="#${idOf(name)}">${name}</a></li>`)}</ul>
</nav>
<main id="content">
<section>
<h2>Before you start</h2>
${document.info.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
${key && html`<p>Send the key in the header <code>${key.name}</code>. ${prose(key.description)}</p>`}
${keyField(mode)}
</section>
${groups.map(
  (group) => html`<h2 class="group">${group.name}</h2>
<p>${prose(group.description)}</p>
${group.operations.map(({ path, method, operation }) => operationSection(operation, `${method.toUpperCase()} ${path}`, document.components.schemas))}`,
)}
<h2 class="group">Objects</h2>
${Object.entries(document.components.schemas).map(([name, schema]) => schemaSection(name, schema))}
</main>
<script type="module">${raw(tryScript)}</script>
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
