/** Represents your app. It needs only the address of the service; nothing in it depends on the mock. */
const baseUrl = 'https://shop.test/api';

async function request(path: string, init: RequestInit = {}) {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
  const response = await fetch(baseUrl + path, { headers, ...init });
  const body = await response.json();
  if (!response.ok) throw new Error(body.message);
  return body;
}

export async function buy(order: object): Promise<{ orderId: string; total: number }> {
  const { orderId, data } = await request('/order', { method: 'POST', body: JSON.stringify(order) });
  return { orderId, total: data.total_price };
}

export async function isPaid(orderId: string): Promise<boolean> {
  const { data } = await request(`/invoice/${orderId}/payment-status`);
  return data.payment_status === 'PAID';
}
