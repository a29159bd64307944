import * as z from 'zod/mini';

/**
 * The source of a rule. Everything that is not `interface ...` is an extension.
 *
 * - `interface 4.2`: a section of the interface document
 * - `live`: the public documentation of the live services that the interface document describes
 * - `laravel`: the wording of the framework whose error shapes the interface document shows
 * - `ours`: a choice of this kit, where there is no other source
 */
export type Source = `interface ${string}` | 'live' | 'laravel' | 'ours';

/** The documentation of a field: in the OpenAPI document, and over it in an editor. */
interface FieldDocs {
  description: string;
  source: Source;
  /** The interface, or a documented exception to it, says when the field is null. No dialect leaves it out then. */
  nullIsStated?: true;
}

/** The documentation of an object and its fields. */
export interface ObjectDocs {
  /** Name of its component and of its type. */
  id: string;
  description: string;
  source: Source;
  fields: Record<string, FieldDocs>;
  /** It has a type for programs, and no component in the OpenAPI document, where nothing refers to it. */
  typeOnly?: true;
}

/** The documentation of every object of the interface: metadata of its schema. */
export const schemaDocs = z.registry<ObjectDocs>();

/** A field of an object: its schema (which also decides whether it is optional) and its documentation. */
export interface Field<Schema extends z.ZodMiniType = z.ZodMiniType> {
  schema: Schema;
  /** `source` is left out when it equals the source of the object. */
  docs: Omit<FieldDocs, 'source'> & { source?: Source };
}

export const field = <Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  more: Omit<Field['docs'], 'description'> = {},
): Field<Schema> => ({ schema, docs: { description, ...more } });

/** Fields that keep this source in every object that includes them. */
export const fieldsFrom = <Fields extends Record<string, Field>>(source: Source, fields: Fields): Fields =>
  // Safe: the same names with the same schemas.
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema, docs }]) => [name, { schema, docs: { source, ...docs } }]),
  ) as Fields;

type ObjectOf<Fields extends Record<string, Field>> = z.ZodMiniObject<
  { [Name in keyof Fields]: Fields[Name]['schema'] },
  z.core.$strip
>;

/**
 * Creates the schema of an object, with its documentation; its type in `generated/types.ts` comes from both.
 *
 * @example
 * object('Category', 'interface 2.2', 'A game category.', { id: field(z.int(), 'Id of the category.'), ... });
 */
export function object<Fields extends Record<string, Field>>(
  id: string,
  source: Source,
  description: string,
  fields: Fields,
  more: Pick<ObjectDocs, 'typeOnly'> = {},
): ObjectOf<Fields> {
  const entries = Object.entries<Field>(fields);
  const shape = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  // Safe: the shape has the schema of each field.
  const schema = z.object(shape) as unknown as ObjectOf<Fields>;
  const docs = Object.fromEntries(entries.map(([name, { docs }]) => [name, { source, ...docs }]));
  schemaDocs.add(schema, { id, description, source, fields: docs, ...more });
  return schema;
}

/** A list of values that a field can have: the name of their type, of the list, and what the values mean. */
interface ValuesDocs {
  type: string;
  list: string;
  description: string;
}

/** The documentation of every list of values: metadata of its schema. */
export const valuesDocs = z.registry<ValuesDocs>();

/** Creates the schema of a list of values, with its documentation. */
export function values<const List extends readonly string[]>(
  type: string,
  list: string,
  description: string,
  members: List,
): z.ZodMiniEnum<{ [Value in List[number]]: Value }> {
  const schema = z.enum(members);
  valuesDocs.add(schema, { type, list, description });
  return schema;
}
