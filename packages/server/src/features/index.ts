import type { Feature } from '../service/feature.ts';
import { customers } from './customers/feature.ts';
import { prices } from './prices/feature.ts';
import { webhooks } from './webhooks/feature.ts';

/** The rooms of a server that do something while it runs. */
export const features: Readonly<Record<string, Feature>> = {
  prices,
  webhooks,
  customers,
};
