import { rmSync } from 'node:fs';
import { afterAll, vi } from 'vitest';
import { home } from '../packages/cli/test/helpers/home.ts';

// Files share a process: what one left behind, the next must not find.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});
