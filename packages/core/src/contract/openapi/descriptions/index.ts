import { catalogDescriptions } from './catalog.ts';
import type { Described } from './described.ts';
import { errorDescriptions } from './error.ts';
import { invoiceDescriptions } from './invoice.ts';
import { orderDescriptions } from './order.ts';

export const descriptions = {
  ...catalogDescriptions,
  ...orderDescriptions,
  ...invoiceDescriptions,
  ...errorDescriptions,
} satisfies Record<string, Described>;

/** The name of a component that the wire types have. */
export type ComponentName = keyof typeof descriptions;
