import { test as base, type Route } from '@playwright/test';
import { createTopupMock, type TopupMock } from '@topup-kit/mock';

/** Gives each test its own service, which answers the requests of its page. */
export const test = base.extend<{ mock: TopupMock }>({
  mock: [
    async ({ page, baseURL }, use) => {
      const mock = createTopupMock({ baseUrl: `${baseURL}/api`, auth: 'off' });
      const handle = async (route: Route) => {
        const request = route.request();
        try {
          const response = await mock.fetch(request.url(), {
            method: request.method(),
            headers: request.headers(),
            body: request.postData(),
          });
          // A file of your app, in the same folder as the mock's pictures.
          if (response.status === 404 && !request.url().startsWith(`${mock.baseUrl}/`))
            return route.fallback();
          await route.fulfill({
            status: response.status,
            headers: Object.fromEntries(response.headers),
            body: await response.text(),
          });
        } catch {
          // There is no response, as in the scenario `offline`: the page gets a network error.
          await route.abort();
        }
      };
      await page.route(`${mock.baseUrl}/**`, handle);
      // The pictures that responses link to.
      const { origin } = new URL(mock.baseUrl);
      await page.route(`${origin}/assets/{games,banners,products,payment-methods}/*.svg`, handle);
      await page.route(`${origin}/pay/*/qr.svg`, handle);
      await use(mock);
    },
    { auto: true },
  ],
});
