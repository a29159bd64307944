import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../src/app/index.ts';
import { operations, type Route, routes } from '../src/contract/index.ts';
import { createOpenApi, type OperationObject } from '../src/contract/openapi/index.ts';
import { createTestService } from './helpers/test-service.ts';

const document = createOpenApi({ serverUrl: 'https://topup.example/api', limits: defaultLimits });
const operationObjects: OperationObject[] = Object.values(document.paths).flatMap((item) =>
  Object.values(item),
);

const ajv = formats.default(new Ajv2020({ allErrors: true, strict: false })).addSchema(document, 'kit');

/** What a schema somewhere in the document says of a value. */
function complaints(pointer: string[], value: unknown): string {
  const parts = pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
  const validate = ajv.getSchema(`kit#/${parts.join('/')}`);
  if (!validate) return 'there is no such schema';
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

describe('the examples of the OpenAPI document', () => {
  it('keep to their schemas', () => {
    for (const [path, item] of Object.entries(document.paths))
      for (const [method, { requestBody, responses }] of Object.entries(item)) {
        const at = ['paths', path, method];
        const parts = [
          ...(requestBody ? [[[...at, 'requestBody'], requestBody] as const] : []),
          ...Object.entries(responses).map(
            ([status, response]) => [[...at, 'responses', status], response] as const,
          ),
        ];
        for (const [pointer, { content }] of parts)
          for (const [name, { value }] of Object.entries(content['application/json'].examples))
            expect([
              ...pointer,
              name,
              complaints([...pointer, 'content', 'application/json', 'schema'], value),
            ]).toEqual([...pointer, name, '']);
      }
  });

  it('let the phone number go under both of its names, and quantity no further than its limit', () => {
    const order = { id: '1', game: 'mobile-legends', product_id: 901, payment_method_id: 12 };
    const verdict = (body: object) => complaints(['components', 'schemas', 'OrderRequest'], body);
    expect(verdict({ ...order, whatsapp: '081234567890' })).toBe('');
    expect(verdict({ ...order, messenger_number: '081234567890' })).toBe('');
    expect(verdict(order)).toContain("must have required property 'whatsapp'");
    expect(verdict({ ...order, whatsapp: '0812', quantity: 101 })).toContain('must be <= 100');
  });

  it('are what the sandbox answers', async () => {
    const service = await createTestService({ settings: { publicUrl: 'https://topup.example' } });
    const { json: order } = await service.order(routes.createOrder.example.body);
    for (const operation of operations.filter((one) => one !== 'createOrder')) {
      const { method, path, example }: Route = routes[operation];
      const filled = path.replace('{order_id}', order.orderId).replace('{slug}', example.path?.slug ?? '');
      const body = example.body && { body: JSON.stringify(example.body) };
      const type = { 'Content-Type': 'application/json' };
      const { json } = await service.send(filled, { method, headers: type, ...body });
      expect([operation, shortened(json)]).toEqual([operation, shortened(exampleOf(operation))]);
    }
    expect(shortened(order)).toEqual(shortened(exampleOf('createOrder')));
  });

  /** The example of an operation's success. */
  function exampleOf(operation: string): unknown {
    const found = operationObjects.find(({ operationId }) => operationId === operation);
    const success = Object.entries(found?.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
    return success?.content['application/json'].examples.sandbox?.value;
  }

  /** Without what differs each time (order, reference) and after the first entries of a list. */
  function shortened(answer: unknown): unknown {
    const lengths: Record<string, number> = { games: 1, populerGames: 1, products: 1, paymentMethods: 2 };
    const text = JSON.stringify(answer, (name, value) =>
      Array.isArray(value) ? value.slice(0, lengths[name]) : value,
    );
    return JSON.parse(
      text
        .replaceAll(/INV-\d{14}-[A-Z]{8}/g, 'INV')
        .replaceAll(/https?:\/\/[^/"]+\/pay\/\w+/g, 'PAY')
        .replaceAll(/SIM0\w+/g, 'REFERENCE')
        .replaceAll(/(?<="(payment_code|payment_code_display|qr_string)":"0002\d+)[^"]+/g, ''),
    );
  }
});
