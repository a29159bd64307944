import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clientProject } from '../../../../test/shared.ts';
import { consumer } from './helpers/consumer.ts';
import { asBundler, asNode, complaints, withDom, withNode } from './helpers/type-check.ts';

const code = `
  import * as sdk from '@topup-kit/sdk';
  import type { CreateOrderRequest, TopupClient } from '@topup-kit/sdk';
  import * as light from '@topup-kit/sdk/light';
  import * as proxy from '@topup-kit/sdk/proxy';

  const client: TopupClient = sdk.createTopupClient({ baseUrl: 'http://shop.test/api' });

  export async function order(request: CreateOrderRequest): Promise<number> {
    try {
      const { data } = await client.orders.create(request);
      // @ts-expect-error no such field: the types did arrive
      data.pricing.totalPrice;
      return data.pricing.total_price;
    } catch (error) {
      if (sdk.isTopupError(error, 'VALIDATION_ERROR')) error.fields satisfies Record<string, string[]> | undefined;
      throw error;
    }
  }
  // @ts-expect-error no such option
  light.createTopupClient({ baseURL: 'http://shop.test/api' });

  // Code that re-exports it needs an importable name for every type in its declaration files.
  export const passedOn = { sdk: { ...sdk }, light: { ...light }, proxy: { ...proxy } };`;

it.each([
  ['as an ES module in Node', 'order.mts', { ...asNode, ...withDom }],
  ['as CommonJS in Node', 'order.cts', { ...asNode, ...withDom }],
  ['by a bundler', 'order.ts', { ...asBundler, ...withDom }],
  ['with the types of Node alone', 'order.mts', { ...asNode, ...withNode }],
])('compiles code that uses the packed package %s', async (_how, name, options) => {
  const folder = await consumer({ [name]: code });

  expect(complaints(join(folder, name), await clientProject(), options)).toEqual([]);
});
