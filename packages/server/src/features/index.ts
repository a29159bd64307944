import type { Feature } from '../service/feature.ts';
import { callbacks } from './callbacks/feature.ts';
import { catalog } from './catalog/feature.ts';
import { prices } from './catalog/prices/feature.ts';
import { customers } from './customers/feature.ts';
import { webhooks } from './webhooks/feature.ts';

/** The rooms with work in a running server. */
export const features: Readonly<Record<string, Feature>> = {
  callbacks,
  catalog,
  prices,
  webhooks,
  customers,
};
