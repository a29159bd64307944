import type { Bug } from '../bug.ts';
import { clients } from './clients.ts';
import { rules } from './engine.ts';
import { providers } from './providers.ts';
import { server } from './server.ts';
import { stores } from './stores.ts';

/** Mistakes of each part of the system, each noticed by a test that it names. */
export const bugs: readonly Bug[] = [...rules, ...stores, ...server, ...clients, ...providers];
