import type { Watcher } from '../observability/watch.ts';
import { traces } from './traces/traces.ts';

/** The rooms that watch requests, calls of providers and due work. */
export const watchers: Readonly<Record<string, Watcher>> = {
  traces,
};
