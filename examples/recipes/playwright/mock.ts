import { test as base, type Route } from '@playwright/test';
import { createTopupMock, type TopupMock } from '@topup-kit/mock';

/** Every test has a service of its own, which answers its page. */
export const test = base.extend<{ mock: TopupMock }>({
  mock: [
    async ({ page, baseURL }, use) => {
      const mock = createTopupMock({ baseUrl: `${baseURL}/api`, auth: 'off' });
      const answer = async (route: Route) => {
        const request = route.request();
        try {
          const response = await mock.fetch(request.url(), {
            method: request.method(),
            headers: request.headers(),
            body: request.postData(),
          });
          // A file of your own beside the mock's pictures.
          if (response.status === 404 && !request.url().startsWith(`${mock.baseUrl}/`))
            return route.fallback();
          await route.fulfill({
            status: response.status,
            headers: Object.fromEntries(response.headers),
            body: await response.text(),
          });
        } catch {
          // No answer came, as under the scenario `offline`: the page sees a network failure.
          await route.abort();
        }
      };
      await page.route(`${mock.baseUrl}/**`, answer);
      // The pictures that answers point to.
      const { origin } = new URL(mock.baseUrl);
      await page.route(`${origin}/assets/{games,banners,products,payment-methods}/*.svg`, answer);
      await page.route(`${origin}/pay/*/qr.svg`, answer);
      await use(mock);
    },
    { auto: true },
  ],
});
