import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import kit from '../../../package.json' with { type: 'json' };
import { defaultLimits } from '../src/app/index.ts';
import { commonErrors, type ErrorCode, operations, type Route, routes } from '../src/contract/index.ts';
import { createOpenApi, type JsonSchema, type OperationObject } from '../src/contract/openapi/index.ts';
import { createTestService } from './helpers/test-service.ts';

const document = createOpenApi({ serverUrl: 'https://shop.test/api', limits: defaultLimits });
const operationObjects: OperationObject[] = Object.values(document.paths).flatMap((item) =>
  Object.values(item),
);
const components = document.components.schemas;

const errorsIn = ({ responses }: OperationObject): ErrorCode[] =>
  Object.values(responses).flatMap((response) => (response['x-topup-errors'] ?? []).map(({ code }) => code));

describe('the OpenAPI document', () => {
  it('passes a well-known linter without warnings', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ ruleId, message, location: [at] }) => [ruleId, message, at?.pointer])).toEqual([]);
  });

  it('has every operation of the contract, with all its errors in the right place', () => {
    expect(operationObjects.map(({ operationId }) => operationId)).toEqual(operations);
    for (const operation of operationObjects) {
      const route: Route = routes[operation.operationId];
      expect(new Set(errorsIn(operation))).toEqual(new Set([...commonErrors, ...route.errors]));
      for (const [status, { 'x-topup-errors': listed = [] }] of Object.entries(operation.responses))
        for (const { code, message } of listed)
          expect(operation.responses[status]?.description).toContain(
            code.endsWith('_ERROR') || code === 'MALFORMED_JSON' ? code : `| ${message.id} | ${message.en} |`,
          );
    }
  });

  it('has a description and a source for every object and field', () => {
    const source = /^(interface \d(\.\d)?|live|laravel|ours)$/;
    const fields = Object.entries(components).flatMap(([name, schema]) => [
      [name, schema] as const,
      ...Object.entries(schema.properties ?? {}).map(
        ([field, property]) => [`${name}.${field}`, property] as const,
      ),
    ]);
    const undocumented = fields.filter(
      ([, schema]: readonly [string, JsonSchema]) =>
        !schema.description || !source.test(schema['x-topup-source'] ?? ''),
    );
    expect(undocumented.map(([name]) => name)).toEqual([]);
    expect(components.GameDetail?.properties?.slug?.['x-topup-source']).toBe('interface 2.1');
    expect(components.GameDetail?.properties?.products?.['x-topup-source']).toBe('ours');
  });

  it('has an example of every request, response and error', () => {
    for (const { responses } of operationObjects)
      for (const { content, 'x-topup-errors': listed } of Object.values(responses))
        if (content)
          expect(Object.keys(content['application/json'].examples)).toEqual(
            listed?.map(({ code }) => code) ?? ['sandbox'],
          );
  });

  it('contains the limits of the deployment, and the version of the kit', () => {
    const own = createOpenApi({
      serverUrl: 'https://shop.test/api',
      limits: { ...defaultLimits, text: 64, quantity: 7, readsPerMinute: 0 },
    });
    const fields = own.components.schemas.CreateOrderRequest?.properties;
    expect([fields?.id?.maxLength, fields?.quantity?.maximum]).toEqual([64, 7]);
    expect(own.info.description).toContain('reads without a limit, orders 20 a minute');
    expect(own.info.version).toBe(kit.version);
  });

  it('is served at the root of the server, without a key', async () => {
    const { app } = await createTestService({ settings: { publicUrl: 'https://shop.test' } });
    const response = await app.fetch(new Request('http://localhost/openapi.json'));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({
      openapi: '3.1.1',
      servers: [{ url: 'https://shop.test/api' }],
    });
  });
});
