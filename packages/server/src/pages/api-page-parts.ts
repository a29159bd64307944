import type { JsonSchema, OperationObject, ResponseObject } from '@topup-kit/core/openapi';
import { html, type Markup } from './html.ts';

/** Text and markup, possibly nested; undefined shows nothing. */
export type Content = Markup | string | undefined | readonly Content[];

/** Renders text in which backticks mark code. */
export const prose = (text = ''): Content =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

/** Shows the source of a rule, such as a section of the interface description. */
export const sourceMark = (source: string | undefined): Content =>
  source && html`<span class="source">${source}</span>`;

const fold = (summary: Content, content: Content): Markup =>
  html`<details><summary>${summary}</summary>${content}</details>`;

export const idOf = (component: string): string => `object-${component}`;

/** Returns the name of the referenced object; empty if the schema is not a reference. */
const nameOf = ({ $ref = '' }: JsonSchema): string => $ref.slice($ref.lastIndexOf('/') + 1);

const either = (parts: readonly Content[]): Content =>
  parts.map((part, index) => (index === 0 ? part : [' or ', part]));

const limitsOf = ({ minimum, maximum, maxLength, format, default: value }: JsonSchema): Content => [
  format === undefined || format === 'int64' ? '' : `, ${format}`,
  minimum === undefined ? '' : `, at least ${minimum}`,
  maximum === undefined ? '' : `, at most ${maximum}`,
  maxLength === undefined ? '' : `, up to ${maxLength} characters`,
  value === undefined ? '' : `, default ${value}`,
];

/** Renders the type of a value as text. The name of an object links to its card. */
function typeText(schema: JsonSchema): Content {
  const { $ref, type, anyOf, enum: values, items, additionalProperties } = schema;
  if ($ref !== undefined) return html`<a href="#${idOf(nameOf(schema))}">${nameOf(schema)}</a>`;
  if (anyOf) return either(anyOf.map(typeText));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (values) return either(values.map((value) => html`<code>${String(value)}</code>`));
  if (items) return ['array of ', typeText(items)];
  if (typeof additionalProperties === 'object') return ['object of ', typeText(additionalProperties)];
  return [[type ?? 'anything'].flat().join(' or '), limitsOf(schema)];
}

/** Name of a field, a parameter, a header, an error or an action, with all facts about it. */
interface Entry {
  name: string;
  /** Type, and whether the entry is required. */
  type?: Content;
  description: Content;
  source?: string | undefined;
}

export const entryList = (entries: readonly Entry[]): Markup =>
  html`<dl>${entries.map(
    ({ name, type, description, source }) =>
      html`<div><dt><code class="name">${name}</code> <span class="soft">${type}</span> ${sourceMark(source)}</dt>
<dd>${description}</dd></div>`,
  )}</dl>`;

/** Common properties of fields, parameters and headers. */
interface Documented {
  description?: string;
  'x-topup-source'?: string;
}

const entryOf = (name: string, schema: JsonSchema, of: Documented, needed = ''): Entry => ({
  name,
  type: [typeText(schema), needed],
  description: prose(of.description),
  source: of['x-topup-source'],
});

/** Renders the fields of an object. For a field with several names, any one of them is required. */
export function fieldList({ properties = {}, required = [], allOf = [] }: JsonSchema): Markup {
  const oneOf = allOf.flatMap(({ anyOf = [] }) => anyOf.flatMap(({ required = [] }) => required));
  const needed = (name: string): string =>
    oneOf.includes(name) ? `, required: ${oneOf.join(' or ')}` : required.includes(name) ? ', required' : '';
  return entryList(
    Object.entries(properties).map(([name, schema]) => entryOf(name, schema, schema, needed(name))),
  );
}

const exampleList = (examples: Readonly<Record<string, { summary: string; value: unknown }>>): Content =>
  Object.values(examples).map(
    ({ summary, value }) => html`<p>${summary}</p><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`,
  );

/** Common properties of an operation, an event and a control route of a sandbox. */
export interface Described
  extends Pick<OperationObject, 'summary' | 'description' | 'x-topup-source' | 'parameters' | 'requestBody'> {
  responses: Readonly<Record<string, Partial<ResponseObject>>>;
}

const parameterList = (parameters: OperationObject['parameters']): Markup =>
  entryList(
    parameters.map((parameter) => {
      const { name, schema, required, in: place } = parameter;
      return entryOf(name, schema, parameter, `, in the ${place}${required ? ', required' : ''}`);
    }),
  );

/** Renders the request body. Its fields are shown in place, because the client has to write them. */
function requestFold({ requestBody }: Described, objects: Readonly<Record<string, JsonSchema>>): Content {
  if (!requestBody) return undefined;
  const { schema, examples } = requestBody.content['application/json'];
  // The body of an event is a separate object, without the restriction to one type.
  const [type = schema] = schema.allOf ?? [];
  const object = objects[nameOf(type)];
  return fold('Request body', [
    html`<p>${typeText(type)}: ${prose(object?.description)}</p>`,
    object && fieldList(object),
    exampleList(examples),
  ]);
}

const errorList = ({ 'x-topup-errors': errors }: Partial<ResponseObject>): Content =>
  errors &&
  entryList(
    errors.map(({ code, shape, message, 'x-topup-source': source }) => ({
      name: code,
      description:
        shape === 'validation'
          ? prose('the first message in `errors`, followed by the number of other messages')
          : html`<span lang="id">${message.id}</span><br>${message.en}`,
      source,
    })),
  );

function responseFold([status, response]: [string, Partial<ResponseObject>]): Content {
  const { description, headers, content, 'x-topup-source': source } = response;
  const [summary] = description?.split('\n\n') ?? [];
  const line = [html`<span class="status">${status}</span> `, prose(summary), ' ', sourceMark(source)];
  if (!headers) return html`<p>${line}</p>`;
  const body = content?.['application/json'];
  const entries = Object.entries(headers).map(([name, header]) => entryOf(name, header.schema, header));
  return fold(line, [
    body && html`<p>${typeText(body.schema)}</p>`,
    errorList(response),
    body && exampleList(body.examples),
    fold('Headers', entryList(entries)),
  ]);
}

/** Renders parameters, request body and responses, each folded into a line. */
export const folds = (described: Described, objects: Readonly<Record<string, JsonSchema>>): Content => [
  described.parameters.length > 0 ? fold('Parameters', parameterList(described.parameters)) : undefined,
  requestFold(described, objects),
  Object.entries(described.responses).map(responseFold),
];
