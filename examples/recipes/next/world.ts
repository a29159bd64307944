import { test as base } from '@playwright/test';

const sandbox = process.env.SANDBOX_URL ?? 'http://127.0.0.1:4000/sandbox';

interface Fixtures {
  /** Calls a control route of the sandbox, which affects only the world of this test. */
  control: (path: string, body?: object) => Promise<void>;
}

/** Gives each test its own world, with its own orders, faults and clock, also behind pages that your server renders. */
export const test = base.extend<Fixtures>({
  control: [
    async ({ context }, use) => {
      const world = { 'X-Topup-World': crypto.randomUUID() };
      await context.setExtraHTTPHeaders(world);
      await use(async (path, body = {}) => {
        const headers = { ...world, 'Content-Type': 'application/json' };
        const response = await fetch(sandbox + path, { method: 'POST', headers, body: JSON.stringify(body) });
        if (!response.ok) throw new Error(await response.text());
      });
    },
    { auto: true },
  ],
});
