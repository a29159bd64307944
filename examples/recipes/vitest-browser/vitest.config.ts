import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.spec.ts'],
    browser: {
      enabled: true,
      headless: true,
      // The service's messages are in the language of the browser.
      provider: playwright({ contextOptions: { locale: 'id-ID' } }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
