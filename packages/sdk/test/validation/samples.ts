import { defaultLimits } from '@topup-kit/core/app';
import { type Answers, type Operation, operations } from '@topup-kit/core/contract';
import { createOpenApi } from '@topup-kit/core/openapi';

const { paths } = createOpenApi({ serverUrl: 'http://shop.test/api', limits: defaultLimits });

/** The example response of an operation in the OpenAPI document. */
function exampleOf<Name extends Operation>(operation: Name): Answers[Name] {
  const all = Object.values(paths).flatMap((item) => Object.values(item));
  const found = all.find(({ operationId }) => operationId === operation);
  const success = found?.responses[operation === 'createOrder' ? 201 : 200];
  // Safe: a test of core checks the examples against their schemas.
  return structuredClone(success?.content['application/json'].examples.sandbox?.value) as Answers[Name];
}

/** A response of each operation with every field of the contract. */
export function createSamples(): Answers {
  const examples = Object.fromEntries(operations.map((operation) => [operation, exampleOf(operation)]));
  const samples = examples as unknown as Answers; // safe: one for each operation
  for (const { fields } of [samples.getGame.data, samples.getCheckout.game])
    fields.push({ name: 'server', label: 'Server', required: true, options: ['Asia', 'Europe'] });
  Object.assign(samples.getInvoice.order, { serial_number: 'SN-1', nickname: 'Ayu', email: 'ayu@shop.test' });
  return samples;
}
