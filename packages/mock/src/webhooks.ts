import { createSandboxWebhooks } from '@topup-kit/core/features/sandbox';
import { logError } from './console.ts';
import { randomFor } from './random.ts';
import type { Worlds } from './world/worlds.ts';

/** Creates the webhooks of the current world. */
export const createWebhooks = (worlds: Worlds, seed: number) =>
  createSandboxWebhooks({
    current: worlds.current,
    random: randomFor(seed, 'webhooks'),
    reportError: logError,
  });
