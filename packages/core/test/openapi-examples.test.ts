import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../src/app/index.ts';
import { operations, type Route, routes } from '../src/contract/index.ts';
import { createOpenApi, type OpenApiDocument, type OperationObject } from '../src/contract/openapi/index.ts';
import { createTestService } from './helpers/test-service.ts';

const createDocument = () => createOpenApi({ serverUrl: 'https://topup.example/api', limits: defaultLimits });

/** Finds the errors of a value for a schema at a place in the document. */
function createChecker(document: OpenApiDocument) {
  const ajv = formats.default(new Ajv2020({ allErrors: true, strict: false })).addSchema(document, 'kit');
  return (pointer: string[], value: unknown): string => {
    const parts = pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
    const validate = ajv.getSchema(`kit#/${parts.join('/')}`);
    if (!validate) return 'schema not found';
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };
}

describe('the examples of the OpenAPI document', () => {
  it('shows examples that match their schemas', () => {
    const document = createDocument();
    const schemaErrors = createChecker(document);
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
          for (const [name, { value }] of Object.entries(content?.['application/json'].examples ?? {}))
            expect([
              ...pointer,
              name,
              schemaErrors([...pointer, 'content', 'application/json', 'schema'], value),
            ]).toEqual([...pointer, name, '']);
      }
  });

  it('shows webhook examples that match their schemas, which distinguish event types', () => {
    const document = createDocument();
    const schemaErrors = createChecker(document);
    const schemaOf = (type: string) => [
      ...['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'],
    ];
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const value = post.requestBody.content['application/json'].examples.event?.value;
      expect([type, schemaErrors(schemaOf(type), value)]).toEqual([type, '']);
      const other = type === 'order.paid' ? 'order.expired' : 'order.paid';
      expect([type, schemaErrors(schemaOf(other), value)]).not.toEqual([type, '']);
    }
  });

  it('accepts both names of the phone number, and quantities up to the limit', () => {
    const order = { id: '1', game: 'mobile-legends', product_id: 901, payment_method_id: 12 };
    const schemaErrors = createChecker(createDocument());
    const errorsOf = (body: object) => schemaErrors(['components', 'schemas', 'CreateOrderRequest'], body);
    expect(errorsOf({ ...order, whatsapp: '081234567890' })).toBe('');
    expect(errorsOf({ ...order, messenger_number: '081234567890' })).toBe('');
    expect(errorsOf(order)).toContain("must have required property 'whatsapp'");
    expect(errorsOf({ ...order, whatsapp: '0812', quantity: 101 })).toContain('must be <= 100');
  });

  it("shows the sandbox's actual responses as examples", async () => {
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

  /** The example of an operation's success response. */
  function exampleOf(operation: string): unknown {
    const documented = Object.values(createDocument().paths).flatMap((item): OperationObject[] =>
      Object.values(item),
    );
    const found = documented.find(({ operationId }) => operationId === operation);
    const success = Object.entries(found?.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
    return success?.content?.['application/json'].examples.sandbox?.value;
  }

  /** Removes values that differ each time (order id, reference) and all but the first entries of lists. */
  function shortened(body: unknown): unknown {
    const lengths: Record<string, number> = { games: 1, populerGames: 1, products: 1, paymentMethods: 2 };
    const text = JSON.stringify(body, (name, value) =>
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
