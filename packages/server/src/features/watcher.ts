import type { Watcher } from '../observability/watch.ts';
import { traces } from './traces/traces.ts';

/** Room that observes requests, provider calls and due work. */
export const watcher: { traces?: Watcher } = {
  traces,
};
