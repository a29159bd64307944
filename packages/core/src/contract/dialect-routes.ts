import type { Dialect } from './dialect.ts';
import { type Operation, operations } from './routes.ts';

/** The operations that a service of this dialect has; the two that the interface specifies are always among them. */
export const servedOperations = ({ routes }: Pick<Dialect, 'routes'>): Operation[] =>
  operations.filter((one) => one === 'listGames' || one === 'createOrder' || routes[one]);
