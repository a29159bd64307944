import { configDefaults, defineConfig } from 'vitest/config';

const source = ['@topup-kit/source'];
const packaging = 'packages/sdk/test/package';

export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'source',
          include: ['packages/*/test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [...configDefaults.exclude, `${packaging}/**`],
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: [`${packaging}/**/*.test.ts`],
          globalSetup: `${packaging}/helpers/global-setup.ts`,
        },
      },
    ],
  },
});
