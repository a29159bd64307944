import * as z from 'zod/mini';
import { schemaDocs } from '../schema-docs.ts';
import type { Dialect } from './dialect.ts';

/** Fields of an object that may be empty, and for which the interface defines no empty form. */
export interface EmptyFields {
  /** Written as null in this kit's own dialect. */
  nulls: string[];
  /** Left out in this kit's own dialect. */
  leftOut: string[];
}

/** Finds the fields that may be empty in an object's schema. */
export function emptyFieldsOf(schema: z.ZodMiniObject): EmptyFields {
  const docs = schemaDocs.get(schema)?.fields ?? {};
  const names = (kind: (field: z.core.$ZodType) => boolean): string[] =>
    Object.entries(schema.shape).flatMap(([name, field]) => (kind(field) ? [name] : []));
  return {
    nulls: names((field) => field instanceof z.ZodMiniNullable).filter((name) => !docs[name]?.nullIsStated),
    leftOut: names((field) => field instanceof z.ZodMiniExactOptional),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Rewrites empty fields in a value of one of the contract's schemas: all as null, all left out, or in this kit's own way. */
export function writeEmptyFields(
  schema: z.core.$ZodType,
  value: unknown,
  form: Dialect['emptyFields'],
): unknown {
  if (schema instanceof z.ZodMiniNullable || schema instanceof z.ZodMiniExactOptional)
    return writeEmptyFields(schema.def.innerType, value, form);
  if (schema instanceof z.ZodMiniArray && Array.isArray(value))
    return value.map((item) => writeEmptyFields(schema.def.element, item, form));
  if (!(schema instanceof z.ZodMiniObject) || !isObject(value)) return value;
  const { nulls, leftOut } = emptyFieldsOf(schema);
  const both = [...nulls, ...leftOut];
  const forms: Record<typeof form, { asNull: string[]; omitted: string[] }> = {
    documented: { asNull: nulls, omitted: leftOut },
    null: { asNull: both, omitted: [] },
    absent: { asNull: [], omitted: both },
  };
  const { asNull, omitted } = forms[form];
  const written = Object.entries(value)
    .filter(([name, inside]) => inside !== null || !omitted.includes(name))
    .map(([name, inside]) => {
      const field = schema.shape[name];
      return [name, field ? writeEmptyFields(field, inside, form) : inside];
    });
  const missing = asNull.filter((name) => !Object.hasOwn(value, name));
  return Object.fromEntries([...written, ...missing.map((name) => [name, null])]);
}
