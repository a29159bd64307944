import { rmSync } from 'node:fs';
import { afterAll, vi } from 'vitest';
import { home } from '../packages/cli/test/helpers/home.ts';

const { Request, Response } = globalThis;

// Files share a process: what one left behind, the next must not find.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  // `@hono/node-server`, which the examples use, replaces them.
  Object.assign(globalThis, { Request, Response });
  rmSync(home, { recursive: true, force: true });
});
