import * as z from 'zod/mini';
import { ConfigError } from './variable.ts';

const callable = z.custom((value) => typeof value === 'function', 'a function');
const optional = z.optional(callable);
const flag = z.boolean('true or false');
const milliseconds = z.number('a number of milliseconds').check(z.nonnegative('a number of milliseconds'));

const common = {
  name: z
    .string('lower-case letters, digits and hyphens, because it is part of the callback URL')
    .check(
      z.regex(
        /^[a-z0-9][a-z0-9-]*$/,
        'lower-case letters, digits and hyphens, because it is part of the callback URL',
      ),
    ),
  sandbox: flag,
  callbacks: z.optional(
    z.object(
      { secrets: z.optional(z.array(z.string('texts'), 'a list')), read: callable, respond: callable },
      'an object',
    ),
  ),
};

const ofGateway = { expiryLimits: optional, supports: optional, createPayment: callable };
const gatewayAdapter = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('local'), ...common, ...ofGateway }),
    z.object({
      kind: z.literal('remote'),
      ...common,
      ...ofGateway,
      findPayment: callable,
      checkPayment: optional,
      checkIntervalMs: z.optional(milliseconds),
      checkAccess: optional,
      listPayments: optional,
    }),
  ],
  "'remote' or 'local'",
);

const supplierAdapter = z.object(
  {
    ...common,
    abilities: z.object(
      {
        findBy: z.enum(['reference', 'supplierId', 'none'], "'reference', 'supplierId' or 'none'"),
        findOnlyReads: z.optional(flag),
        findIntervalMs: milliseconds,
        callbackFindIntervalMs: z.optional(milliseconds),
        referenceLifetimeMs: z.nullable(milliseconds),
      },
      'an object',
    ),
    submit: callable,
    find: callable,
    readProducts: optional,
    productsIntervalMs: z.optional(milliseconds),
    readBalance: optional,
  },
  'an object',
);

/**
 * Checks the adapters passed to `startServer` at runtime, when types can't.
 *
 * @throws ConfigError that names the first invalid field of each adapter.
 */
export function rejectInvalidAdapters(parts: {
  gateway?: unknown;
  supplier?: unknown;
  otherSuppliers?: unknown;
}): void {
  const schemas = {
    gateway: gatewayAdapter,
    supplier: supplierAdapter,
    otherSuppliers: z.array(supplierAdapter, 'a list'),
  };
  const problems = (['gateway', 'supplier', 'otherSuppliers'] as const).flatMap((part) => {
    const adapter = parts[part];
    const issue = adapter === undefined ? undefined : schemas[part].safeParse(adapter).error?.issues[0];
    if (!issue) return [];
    return [`${[part, ...issue.path].join('.')} must be ${issue.message}`];
  });
  if (problems.length > 0)
    throw new ConfigError(
      `startServer can't use an adapter: ${problems.join('; ')}. docs/adapters.md describes them.`,
    );
}
