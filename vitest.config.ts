import { defineConfig } from 'vitest/config';

const source = ['@topup-kit/source'];

export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'examples/**/*.test.ts'],
  },
});
