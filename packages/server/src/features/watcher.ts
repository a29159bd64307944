import type { Watcher } from '../observability/watch.ts';
import { traces } from './traces/traces.ts';

/** The room that watches requests, calls of providers and due work. */
export const watcher: { traces?: Watcher } = {
  traces,
};
