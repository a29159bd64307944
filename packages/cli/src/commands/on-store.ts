import type { Command } from 'commander';
import { storeOption } from '../store.ts';
import { asksNoService } from './service-options.ts';

/** Makes a command one that works on a store, also under a noun whose other commands ask a service. */
export const onStore = (command: Command): Command => asksNoService(command).option(...storeOption);
