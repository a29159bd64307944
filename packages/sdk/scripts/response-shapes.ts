import { writeFile } from 'node:fs/promises';
import { defaultLimits } from '@topup-kit/core/app';
import { type Operation, operations } from '@topup-kit/core/contract';
import { createOpenApi, type JsonSchema } from '@topup-kit/core/openapi';
import type { Kind } from '../src/validation/shape.ts';

/** The OpenAPI form of the contract's schemas. Its limits are ignored here. */
const { components, paths } = createOpenApi({ serverUrl: 'https://topup.example', limits: defaultLimits });
const nameIn = (ref: string): string => ref.replace(/^.*\//, '');

/** The name of a component's constant: `game` for `Game`. */
const constantOf = (component: string): string => component.charAt(0).toLowerCase() + component.slice(1);

function schemaOf(component: string): JsonSchema {
  const schema = components.schemas[component];
  if (!schema?.properties) throw new Error(`${component} is not an object of the contract.`);
  return schema;
}

const heading = `// Generated from the contract's schemas: do not edit, run \`pnpm --filter @topup-kit/sdk shapes\`.
import type { Operation } from '@topup-kit/core/contract';
import type { Fields } from './shape.ts';`;

/** The component of an operation's successful response. */
function responseOf(operation: Operation): string {
  const found = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === operation);
  const success = Object.entries(found?.responses ?? {}).find(([status]) => status.startsWith('2'));
  const ref = success?.[1].content?.['application/json'].schema.$ref;
  if (!ref) throw new Error(`${operation} has no component in its response.`);
  return nameIn(ref);
}

/** The kind of a simple value. An enum is a string, because it may grow. */
function kindOf({ type, const: constant }: JsonSchema): Kind {
  if (type === 'boolean') return constant === true ? 'true' : 'boolean';
  if (type === 'string' || type === 'integer' || type === 'number') return type;
  throw new Error(`Response shapes don't support the type ${JSON.stringify(type)}.`);
}

function shapeOf(schema: JsonSchema): string {
  if (schema.$ref) return constantOf(nameIn(schema.$ref));
  if (Array.isArray(schema.type)) return shapeOf({ anyOf: schema.type.map((type) => ({ ...schema, type })) });
  const [inner, none, ...others] = schema.anyOf ?? [];
  if (inner && none?.type === 'null' && others.length === 0) return `['nullable', ${shapeOf(inner)}]`;
  if (schema.items) return `['array', ${shapeOf(schema.items)}]`;
  return `'${kindOf(schema)}'`;
}

/** The fields of a component, one on each line. */
function fieldsOf(component: string): string[] {
  const { properties = {}, required = [] } = schemaOf(component);
  return Object.entries(properties).map(([name, schema]) => {
    const shape = shapeOf(schema);
    return `${name}: ${required.includes(name) ? shape : `['optional', ${shape}]`},`;
  });
}

/** The components that a schema contains. */
function componentsIn(schema: JsonSchema): string[] {
  const contained = [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})];
  return [
    ...(schema.$ref ? [nameIn(schema.$ref)] : []),
    ...contained.flatMap((inner) => (inner ? componentsIn(inner) : [])),
  ];
}

/** Adds a component after all components that its declaration needs. */
function addWithNeeds(found: Set<string>, component: string, needsOf: (component: string) => string[]): void {
  for (const needed of needsOf(component)) addWithNeeds(found, needed, needsOf);
  found.add(component);
}

/** The longest component whose fields are the first fields of another one, to be spread into it. */
function baseOf(component: string, candidates: readonly string[]): string | undefined {
  const fields = fieldsOf(component);
  return candidates
    .filter((one) => one !== component && fieldsOf(one).every((line, index) => line === fields[index]))
    .sort((one, other) => fieldsOf(other).length - fieldsOf(one).length)[0];
}

const object = (opening: string, lines: readonly string[], closing: string): string =>
  [opening, ...lines.map((line) => `  ${line}`), closing].join('\n');

function declarationOf(component: string, base: string | undefined): string {
  const fields = fieldsOf(component);
  const lines = base ? [`...${constantOf(base)},`, ...fields.slice(fieldsOf(base).length)] : fields;
  return object(`const ${constantOf(component)}: Fields = {`, lines, '};');
}

/** The source of `src/validation/response-shapes.ts`, generated from the contract. */
export function responseShapesSource(): string {
  const responses = operations.map((operation) => [operation, responseOf(operation)] as const);
  const contained = responses.flatMap(([, response]) => componentsIn(schemaOf(response)));

  const inside = new Set<string>();
  for (const component of contained) addWithNeeds(inside, component, (one) => componentsIn(schemaOf(one)));
  const bases = new Map([...inside].map((component) => [component, baseOf(component, [...inside])]));

  const ordered = new Set<string>();
  const needsOf = (one: string) => [bases.get(one) ?? [], componentsIn(schemaOf(one))].flat();
  for (const component of contained) addWithNeeds(ordered, component, needsOf);

  const table = responses.flatMap(([operation, response]) =>
    object(`${operation}: {`, fieldsOf(response), '},').split('\n'),
  );
  return `${[
    heading,
    ...[...ordered].map((component) => declarationOf(component, bases.get(component))),
    "/** The shape of each operation's successful response. */",
  ].join('\n\n')}\n${object('export const responseShapes: Record<Operation, Fields> = {', table, '};')}\n`;
}

if (import.meta.main)
  await writeFile(new URL('../src/validation/response-shapes.ts', import.meta.url), responseShapesSource());
