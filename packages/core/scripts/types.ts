import { writeFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { eventSchemas } from '../src/contract/event-schemas.ts';
import type { FieldRule } from '../src/contract/fields.ts';
import { queries, type RequestBody, requestBodies } from '../src/contract/openapi/components.ts';
import { type Source, schemaDocs, valuesDocs } from '../src/contract/schema-docs.ts';
import {
  buyStatus,
  errorSchemas,
  gameSchema,
  gameWithCategorySchema,
  paymentStatus,
  responseSchemas,
} from '../src/contract/schemas.ts';

/** Components whose type has another name. */
const typeNames = new Map([['PromoFacts', 'Promo']]);

/** Of the code in this repository. */
const lineWidth = 110;

/** Closed unions are for the service, which sends no other string; a client has open ones. */
export type Unions = 'closed' | 'open';

const commentOf = (description: string, indent = ''): string => `${indent}/** ${description} */\n`;

const literal = (value: z.core.util.Literal): string =>
  typeof value === 'string' ? `'${value}'` : `${value}`;

/** What begins with a type, with a long union in lines of its own. */
function typed(start: string, type: string, indent = ''): string {
  const line = `${start} ${type};`;
  const members = type.split(' | ');
  if (line.length <= lineWidth || members.length < 2) return line;
  return `${start}${members.map((member) => `\n${indent}  | ${member}`).join('')};`;
}

const withSource = (description: string, source: Source): string => `${description} Source: ${source}.`;

/** A list of values and the type of its values. */
function declareValues(schema: z.ZodMiniEnum, unions: Unions): [name: string, declaration: string] {
  const docs = valuesDocs.get(schema);
  if (!docs) throw new Error(`The list ${schema.options.join(', ')} has no name: use values().`);
  const texts = schema.options.map((value) => `'${value}'`);
  const members = unions === 'open' ? [...texts, '(string & {})'] : texts;
  const open = unions === 'open' ? ' Newer services may send other strings.' : '';
  const list = `export const ${docs.list} = [${texts.join(', ')}] as const;`;
  const declaration = `${commentOf(docs.description)}${list.length <= lineWidth ? list : `export const ${docs.list} = [${texts.map((text) => `\n  ${text},`).join('')}\n] as const;`}
${commentOf(`${docs.description}${open}`)}${typed(`export type ${docs.type} =`, members.join(' | '))}`;
  return [docs.type, declaration];
}

/** The lists that rules of fields may have as options. */
const valueLists = [paymentStatus, buyStatus];

/** Objects that others have all fields of, the larger one first. */
const bases: readonly z.ZodMiniObject[] = [gameWithCategorySchema, gameSchema];

/** An event that is newer than the types. Literal types narrow to the others only if its own type is a literal, too. */
const unknownEvent = `/**
 * An event of a type that this version does not know. Its \`type\` is the one that the service sent: compare it as
 * \`String(event.type)\`. Respond to it as to others, so that the service does not send it again.
 */
export interface UnknownEvent {
  /** Id of the event. */
  id: string;
  /** What happened. */
  type: '(a newer type)';
  /** When it happened: ISO 8601, in UTC. */
  timestamp: string;
  /** What it happened to. */
  data: unknown;
}`;

const isBaseOf = (base: z.ZodMiniObject, schema: z.ZodMiniObject): boolean =>
  base !== schema && Object.entries(base.shape).every(([field, inner]) => schema.shape[field] === inner);

/** The declarations of types by their names, each after those that it needs. */
class Declarations extends Map<string, string> {
  readonly #unions: Unions;

  constructor(unions: Unions) {
    super();
    this.#unions = unions;
  }

  /** The type of a schema; declares it when it has a name. */
  typeOf(schema: z.core.$ZodType): string {
    if (schema instanceof z.ZodMiniObject) return this.#object(schema);
    if (schema instanceof z.ZodMiniArray) return `${this.typeOf(schema.def.element)}[]`;
    if (schema instanceof z.ZodMiniNullable) return `${this.typeOf(schema.def.innerType)} | null`;
    if (schema instanceof z.ZodMiniRecord)
      return `Record<${this.typeOf(schema.def.keyType)}, ${this.typeOf(schema.def.valueType)}>`;
    if (schema instanceof z.ZodMiniLiteral) return schema.def.values.map(literal).join(' | ');
    if (schema instanceof z.ZodMiniEnum) {
      const [name, declaration] = declareValues(schema, this.#unions);
      this.set(name, declaration);
      return name;
    }
    if (schema instanceof z.ZodMiniNumber) return 'number';
    if (schema instanceof z.ZodMiniString) return 'string';
    if (schema instanceof z.ZodMiniBoolean) return 'boolean';
    throw new Error(`There is no type for the schema ${schema._zod.def.type}.`);
  }

  #object(schema: z.ZodMiniObject): string {
    const docs = schemaDocs.get(schema);
    if (!docs)
      throw new Error(`An object with ${Object.keys(schema.shape).join(', ')} has no name: use object().`);
    const name = typeNames.get(docs.id) ?? docs.id;
    const base = bases.find((candidate) => isBaseOf(candidate, schema));
    const baseName = base && this.typeOf(base);
    const own = Object.entries(schema.shape).filter(([field]) => !base || !(field in base.shape));
    const fields = own.map(([field, inner]) => {
      const optional = inner instanceof z.ZodMiniExactOptional;
      const type = this.typeOf(optional ? inner.def.innerType : inner);
      return `${commentOf(docs.fields[field]?.description ?? '', '  ')}${typed(`  ${field}${optional ? '?' : ''}:`, type, '  ')}\n`;
    });
    this.set(name, interfaceOf(name, withSource(docs.description, docs.source), fields, baseName));
    return name;
  }

  #ruleType(rule: FieldRule): string {
    if (rule.type === 'integer') return 'number';
    const list = rule.options && valueLists.find(({ options }) => `${options}` === `${rule.options}`);
    return list ? this.typeOf(list) : 'string';
  }

  /** Every event, and their union. The types of a union are closed, because they tell the events apart. */
  events(): void {
    const known = Object.values(eventSchemas).map(({ event }) => this.typeOf(event));
    const open = this.#unions === 'open';
    if (open) this.set('UnknownEvent', unknownEvent);
    const members = open ? [...known, 'UnknownEvent'] : known;
    const heading = commentOf('What a webhook tells of; `type` says which event it is. Source: ours.');
    this.set('TopupEvent', `${heading}${typed('export type TopupEvent =', members.join(' | '))}`);
  }

  request({ component, description, source, fields }: RequestBody): void {
    const lines = fields.map((rule: FieldRule) => {
      const type = this.#ruleType(rule);
      const isExact = rule.required || (rule.type === 'string' && rule.isExact);
      const field = `${rule.name}${rule.required ? '' : '?'}: ${type}${isExact ? '' : ' | undefined'}`;
      return `${commentOf(rule.description, '  ')}  ${field};\n`;
    });
    this.set(component, interfaceOf(component, withSource(description, source), lines));
  }
}

const interfaceOf = (name: string, description: string, fields: readonly string[], base?: string): string =>
  `${commentOf(description)}export interface ${name}${base ? ` extends ${base}` : ''} {\n${fields.join('')}}`;

/** The types of requests and responses, by the contract. */
function declarationsOf(unions: Unions): Declarations {
  const types = new Declarations(unions);
  const responses = Object.entries(responseSchemas).map(
    ([operation, schema]) => `  ${operation}: ${types.typeOf(schema)};\n`,
  );
  for (const body of [...Object.values(requestBodies), ...Object.values(queries)]) types.request(body);
  types.events();
  if (unions === 'closed') {
    const bodies = Object.values(errorSchemas).map((schema) => types.typeOf(schema));
    types.set(
      'ErrorBody',
      `${commentOf('The body of an error.')}export type ErrorBody = ${bodies.join(' | ')};`,
    );
  }
  types.set('Responses', interfaceOf('Responses', 'The success response of each operation.', responses));
  return types;
}

const names = (text: string): string[] => text.replaceAll(/\/\*\*.*\*\//g, '').match(/\b[A-Z]\w+/g) ?? [];

const nameList = (start: string, all: readonly string[], end: string): string =>
  `${start} {\n${all.map((name) => `  ${name},\n`).join('')}}${end};`;

/** The types of the client: those that differ from the service's, and the others from there. */
function openDeclarations(): string[] {
  const closed = declarationsOf('closed');
  const open = declarationsOf('open');
  const own = new Map<string, string>();
  // Not for users, so it has a file of its own.
  open.delete('Responses');
  for (const [name, declaration] of open)
    if (closed.get(name) !== declaration || names(declaration).some((other) => own.has(other)))
      own.set(name, declaration);
  const shared = [...open.keys()].filter((name) => !own.has(name)).sort();
  const used = new Set([...own.values()].flatMap(names));
  const core = ` from '@topup-kit/core/contract'`;
  return [
    nameList(
      'import type',
      shared.filter((name) => used.has(name)),
      core,
    ),
    // Users name the data of such an event by the event: `AlertEvent['data']`.
    nameList(
      'export type',
      shared.filter((name) => !name.endsWith('EventData')),
      core,
    ),
    ...own.values(),
  ];
}

const sourceOf = (declarations: Iterable<string>): string =>
  `${[
    '// Generated from the schemas of the contract: do not edit, run `npx -y pnpm@12 generate`.',
    ...declarations,
  ].join('\n\n')}\n`;

/** The source of these types, generated from the contract. */
export const typesSource = (unions: Unions): string =>
  sourceOf(unions === 'open' ? openDeclarations() : declarationsOf(unions).values());

/** The source of the client's table of responses, which its types don't have. */
export function responsesSource(): string {
  const table = declarationsOf('open').get('Responses') ?? '';
  const used = names(table).filter((name) => name !== 'Responses');
  return sourceOf([nameList('import type', used.sort(), ` from './types.ts'`), table]);
}

if (import.meta.main)
  await writeFile(new URL('../src/contract/generated/types.ts', import.meta.url), typesSource('closed'));
