import type { JsonSchema } from '@topup-kit/core/openapi';
import { html } from 'hono/html';
import type { Markup } from './html.ts';

/** Text and markup, possibly nested. */
export type Content = Markup | string | Content[];

/** The id of the element that describes an object. */
export const idOf = (component: string): string => `object-${component}`;

/** Renders text in which backticks mark code. */
export const prose = (text: string): Content[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

/** Shows the source of a rule, such as a section of the interface. */
export const sourceMark = (source: string | undefined): Markup | string =>
  source === undefined ? '' : html`<span class="source">${source}</span>`;

/** An entry of a list: name, type and description. */
export const entry = (given: {
  name: string;
  type: Content;
  /** A text such as `required`; empty when the value is optional. */
  needed: string;
  description: string;
  source: string | undefined;
}): Markup => html`<div>
<dt><code class="name">${given.name}</code> <span class="type">${given.type}${given.needed && `, ${given.needed}`}</span> ${sourceMark(given.source)}</dt>
<dd>${prose(given.description)}</dd>
</div>`;

const joined = (parts: Content[], glue: string): Content[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [glue, part]));

function limitsOf({ minimum, maximum, maxLength, format, default: defaultValue }: JsonSchema): string {
  const parts = [
    format === undefined || format === 'int64' ? '' : format,
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    maxLength === undefined ? '' : `up to ${maxLength} characters`,
    defaultValue === undefined ? '' : `default ${defaultValue}`,
  ];
  return parts
    .filter((part) => part !== '')
    .map((part) => `, ${part}`)
    .join('');
}

/** The name of the referenced object; empty when the schema is not a reference. */
export const nameOf = ({ $ref = '' }: JsonSchema): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** The type of a value as text. The name of an object links to its description. */
export function typeText(schema: JsonSchema): Content[] {
  const { $ref, type, anyOf, enum: values, items, additionalProperties } = schema;
  if ($ref !== undefined) return [html`<a href="#${idOf(nameOf(schema))}">${nameOf(schema)}</a>`];
  if (anyOf) return joined(anyOf.map(typeText), ' or ');
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (values)
    return joined(
      values.map((value) => html`<code>${String(value)}</code>`),
      ' or ',
    );
  if (items) return ['array of ', ...typeText(items)];
  if (typeof additionalProperties === 'object') return ['object of ', ...typeText(additionalProperties)];
  return [[type ?? 'anything'].flat().join(' or '), limitsOf(schema)];
}

/** The fields of an object. For a field with several names, any one of them is required. */
export function fieldList({ properties = {}, required = [], allOf = [] }: JsonSchema): Markup {
  const either = allOf.flatMap(({ anyOf = [] }) => anyOf.flatMap(({ required = [] }) => required));
  const needed = (name: string): string =>
    either.includes(name) ? `required: ${either.join(' or ')}` : required.includes(name) ? 'required' : '';
  return html`<dl>${Object.entries(properties).map(([name, property]) =>
    entry({
      name,
      type: typeText(property),
      needed: needed(name),
      description: property.description ?? '',
      source: property['x-topup-source'],
    }),
  )}</dl>`;
}

/** An object and its fields. */
export const schemaSection = (
  name: string,
  schema: JsonSchema,
): Markup => html`<section class="card" id="${idOf(name)}">
<h3>${name} ${sourceMark(schema['x-topup-source'])}</h3>
<p>${prose(schema.description ?? '')}</p>
${fieldList(schema)}
</section>`;
