import type { ConformanceTarget } from '@topup-kit/conformance';
import type { MockService } from '@topup-kit/mock';

/** A mock as a target of the conformance suite, with the fetch of its host. */
export const mockTarget = (
  { baseUrl, apiKey, otherApiKey, orders, clock }: MockService,
  fetch: ConformanceTarget['fetch'],
): ConformanceTarget => ({
  baseUrl,
  apiKey,
  otherApiKey,
  sandbox: {
    act: async (orderId, action) => void (await orders[action](orderId)),
    advance: (by) => clock.advance(by),
  },
  fetch,
});
