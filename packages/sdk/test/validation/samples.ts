import { defaultLimits } from '@topup-kit/core/app';
import { type Operation, operations, type Responses } from '@topup-kit/core/contract';
import { createOpenApi } from '@topup-kit/core/openapi';

const { paths } = createOpenApi({ serverUrl: 'http://shop.test/api', limits: defaultLimits });

/** The example response of an operation in the OpenAPI document. */
function exampleOf<Name extends Operation>(operation: Name): Responses[Name] {
  const all = Object.values(paths).flatMap((item) => Object.values(item));
  const found = all.find(({ operationId }) => operationId === operation);
  const success = found?.responses[operation === 'createOrder' ? 201 : 200];
  // Safe: a test of core checks the examples against their schemas.
  return structuredClone(success?.content?.['application/json'].examples.sandbox?.value) as Responses[Name];
}

/** A response of each operation with every field of the contract. */
export function createSamples(): Responses {
  const examples = Object.fromEntries(operations.map((operation) => [operation, exampleOf(operation)]));
  const samples = examples as unknown as Responses; // Safe: there is one entry for each operation.
  for (const { fields } of [samples.getGame.data, samples.getCheckout.game])
    fields.push({ name: 'server', label: 'Server', required: true, options: ['Asia', 'Europe'] });
  Object.assign(samples.getInvoice.order, {
    ...{ serial_number: 'SN-1', nickname: 'Ayu', email: 'ayu@shop.test', refund_amount: 1 },
    failure_reason: 'supplier_failed',
  });
  return samples;
}
