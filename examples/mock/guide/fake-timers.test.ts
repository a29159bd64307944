import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const mock = createMockService();
const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-03-28T10:00:00+07:00') }));
afterEach(() => void vi.useRealTimers());

it("uses the test's fake clock", async () => {
  const { orderId, data } = await client.orders.create({
    game: 'mobile-legends',
    product_id: 901,
    payment_method_id: 12,
    id: '12345678',
    server: '2012',
    whatsapp: '081234567890',
  });
  expect(data.expired_at).toBe('2026-03-28T10:30:00+07:00');
  vi.advanceTimersByTime(30 * 60_000);
  expect((await client.invoices.paymentStatus(orderId)).data.payment_status).toBe('EXPIRED');
});
