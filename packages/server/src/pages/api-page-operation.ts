import type {
  ExampleObject,
  HeaderObject,
  JsonSchema,
  OperationObject,
  ResponseObject,
} from '@topup-kit/core/openapi';
import { html } from 'hono/html';
import { entry, type Markup, prose, sourceMark } from './api-page-parts.ts';
import { fieldList, nameOf, typeWords } from './api-page-schema.ts';

/** The objects of the document by their names. */
type Objects = Record<string, JsonSchema>;

function parameterList({ parameters }: OperationObject): Markup | string {
  if (parameters.length === 0) return '';
  return html`<h4>Parameters</h4>
<dl>${parameters.map(({ name, required, description, schema, in: place, 'x-topup-source': source }) =>
    entry({
      name,
      type: [`${place}, `, ...typeWords(schema)],
      needed: required ? 'required' : '',
      description,
      source,
    }),
  )}</dl>`;
}

/** The body with its fields, which a client has to write, at hand. */
function requestPart({ requestBody }: OperationObject, objects: Objects): Markup | string {
  if (!requestBody) return '';
  const { schema, examples } = requestBody.content['application/json'];
  const body = objects[nameOf(schema)];
  return html`<h4>Request body</h4>
<p>${typeWords(schema)}${body && [': ', ...prose(body.description ?? '')]}</p>
${body && fieldList(body)}
${exampleDetails(examples)}`;
}

/** All examples behind one line. */
function exampleDetails(examples: Record<string, ExampleObject>): Markup {
  const shown = Object.values(examples);
  return html`<details><summary>${shown.length === 1 ? 'Example' : `${shown.length} examples`}</summary>${shown.map(
    ({ summary, value }) => html`<p>${summary}</p><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`,
  )}</details>`;
}

const headerList = (headers: Record<string, HeaderObject>): Markup =>
  html`<details><summary>Headers</summary><dl>${Object.entries(headers).map(
    ([name, { description, schema, 'x-topup-source': source }]) =>
      entry({ name, type: typeWords(schema), needed: '', description, source }),
  )}</dl></details>`;

/** What a response can be refused for; the table scrolls by itself where it is too wide. */
const errorTable = (status: string, { 'x-topup-errors': errors = [] }: ResponseObject): Markup =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="Errors with status ${status}"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Message (id)</th><th scope="col">Message (en)</th><th scope="col">Source</th></tr></thead>
<tbody>${errors.map(
    ({ code, shape, message, 'x-topup-source': source }) =>
      html`<tr><th scope="row"><code>${code}</code></th>${
        shape === 'validation'
          ? html`<td colspan="2">the first of the messages in <code>errors</code>, and how many more there are</td>`
          : html`<td lang="id">${message.id}</td><td>${message.en}</td>`
      }<td>${sourceMark(source)}</td></tr>`,
  )}</tbody></table></div>`;

function responsePart(status: string, response: ResponseObject): Markup {
  const { schema, examples } = response.content['application/json'];
  const [description = ''] = response.description.split('\n\n');
  return html`<section class="response">
<h4><span class="status">${status}</span> ${prose(description)} ${sourceMark(response['x-topup-source'])}</h4>
<p>${typeWords(schema)}</p>
${response['x-topup-errors'] ? errorTable(status, response) : ''}
${exampleDetails(examples)}
${headerList(response.headers)}
</section>`;
}

/** An operation: what it takes and all that it answers. */
export const operationSection = (operation: OperationObject, address: string, objects: Objects): Markup =>
  html`<section class="operation" id="${operation.operationId}">
<h3>${operation.summary} ${sourceMark(operation['x-topup-source'])}</h3>
<p class="address"><code>${address}</code></p>
<p>${prose(operation.description)}</p>
${parameterList(operation)}
${requestPart(operation, objects)}
${Object.entries(operation.responses).map(([status, response]) => responsePart(status, response))}
</section>`;
