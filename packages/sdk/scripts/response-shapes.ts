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

const heading = `// Generated from the schemas of the contract: do not edit, run \`npx -y pnpm@12 generate\`.
import type { Operation } from '@topup-kit/core/contract';
import type { Fields } from '../shape.ts';`;

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

/** The component whose fields another one has, too. */
const bases = new Map([
  ['GameWithCategory', 'Game'],
  ['GameDetail', 'GameWithCategory'],
]);

/** The fields of a component, one on each line. */
function fieldsOf(component: string): string[] {
  const { properties = {}, required = [] } = schemaOf(component);
  const fields = Object.entries(properties).map(([name, schema]) => {
    const shape = shapeOf(schema);
    return `${name}: ${required.includes(name) ? shape : `['optional', ${shape}]`},`;
  });
  const base = bases.get(component);
  if (base === undefined) return fields;
  const inherited = Object.keys(schemaOf(base).properties ?? {});
  return [
    `...${constantOf(base)},`,
    ...fields.filter((field) => !inherited.includes(field.split(':')[0] ?? '')),
  ];
}

/** The components that a schema contains. */
function componentsIn(schema: JsonSchema): string[] {
  const contained = [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})];
  return [
    ...(schema.$ref ? [nameIn(schema.$ref)] : []),
    ...contained.flatMap((inner) => (inner ? componentsIn(inner) : [])),
  ];
}

const object = (opening: string, lines: readonly string[], closing: string): string =>
  [opening, ...lines.map((line) => `  ${line}`), closing].join('\n');

/** The source of `src/validation/generated/response-shapes.ts`. */
export function responseShapesSource(): string {
  const responses = operations.map((operation) => [operation, responseOf(operation)] as const);
  // Each after those that it contains.
  const ordered = new Set<string>();
  const add = (component: string): void => {
    const base = bases.get(component);
    if (base !== undefined) add(base);
    componentsIn(schemaOf(component)).forEach(add);
    ordered.add(component);
  };
  for (const [, response] of responses) componentsIn(schemaOf(response)).forEach(add);

  const declarations = [...ordered].map((component) =>
    object(`const ${constantOf(component)}: Fields = {`, fieldsOf(component), '};'),
  );
  const table = responses.flatMap(([operation, response]) =>
    object(`${operation}: {`, fieldsOf(response), '},').split('\n'),
  );
  return `${[heading, ...declarations, "/** The shape of each operation's successful response. */"].join('\n\n')}
${object('export const responseShapes: Record<Operation, Fields> = {', table, '};')}\n`;
}
