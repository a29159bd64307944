import { defaultLimits } from '@topup-kit/core/app';
import { type Answers, type Operation, operations } from '@topup-kit/core/contract';
import { createOpenApi } from '@topup-kit/core/openapi';

const { paths } = createOpenApi({ serverUrl: 'http://shop.test/api', limits: defaultLimits });

/** What the OpenAPI document shows as the operation's answer. */
function exampleOf<Name extends Operation>(operation: Name): Answers[Name] {
  const all = Object.values(paths).flatMap((item) => Object.values(item));
  const found = all.find(({ operationId }) => operationId === operation);
  const success = found?.responses[operation === 'createOrder' ? 201 : 200];
  // Safe: a test of core holds the examples to their schemas.
  return structuredClone(success?.content['application/json'].examples.sandbox?.value) as Answers[Name];
}

/** An answer of each operation with every field that the contract knows. */
export function createSamples(): Answers {
  const examples = Object.fromEntries(operations.map((operation) => [operation, exampleOf(operation)]));
  const samples = examples as unknown as Answers; // safe: one for each operation
  for (const { fields } of [samples.getGame.data, samples.getCheckout.game])
    fields.push({ name: 'server', label: 'Server', required: true, options: ['Asia', 'Europe'] });
  Object.assign(samples.getInvoice.order, { serial_number: 'SN-1', nickname: 'Ayu', email: 'ayu@shop.test' });
  return samples;
}
