import * as z from 'zod/mini';

/**
 * The source of a rule. Every source except `interface ...` marks an extension.
 *
 * - `interface 4.2`: a section of the interface document
 * - `live`: the public documentation of the live services that the interface document describes
 * - `laravel`: the wording of the framework whose error shapes the interface document shows
 * - `ours`: a choice of this kit, without another source
 */
export type Source = `interface ${string}` | 'live' | 'laravel' | 'ours';

/** A field's documentation, for the OpenAPI document and for editors. */
interface FieldDocs {
  description: string;
  source: Source;
  /** Set if the interface, or a documented exception to it, says when the field is null. No dialect leaves such a field out. */
  nullIsStated?: true;
}

/** The documentation of an object and its fields. */
export interface ObjectDocs {
  /** Name of its component and type. */
  id: string;
  description: string;
  source: Source;
  fields: Record<string, FieldDocs>;
  /** Set if it has a type, but no component, because the OpenAPI document doesn't refer to it. */
  typeOnly?: true;
}

/** The documentation of every object of the interface, as metadata of its schema. */
export const schemaDocs = z.registry<ObjectDocs>();

/** A field of an object: its documentation and its schema, which makes it optional or required. */
export interface Field<Schema extends z.ZodMiniType = z.ZodMiniType> {
  schema: Schema;
  /** `source` may be left out if it equals the object's source. */
  docs: Omit<FieldDocs, 'source'> & { source?: Source };
}

export const field = <Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  more: Omit<Field['docs'], 'description'> = {},
): Field<Schema> => ({ schema, docs: { description, ...more } });

/** Marks fields with a source that they keep in every object that includes them. */
export const fieldsFrom = <Fields extends Record<string, Field>>(source: Source, fields: Fields): Fields =>
  // Safe: the names and their schemas are the same.
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema, docs }]) => [name, { schema, docs: { source, ...docs } }]),
  ) as Fields;

type ObjectOf<Fields extends Record<string, Field>> = z.ZodMiniObject<
  { [Name in keyof Fields]: Fields[Name]['schema'] },
  z.core.$strip
>;

/**
 * Creates the documented schema of an object. Its type in `generated/types.ts` comes from both.
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

/** Documentation for the possible values of a field: the names of their type and list, and the meaning of each value. */
interface ValuesDocs {
  type: string;
  list: string;
  description: string;
}

/** The documentation of every list of values, as metadata of its schema. */
export const valuesDocs = z.registry<ValuesDocs>();

/** Creates the documented schema of a list of values. */
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
