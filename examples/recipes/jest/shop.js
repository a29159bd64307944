/** Stands for your app: it knows an address, and nothing of mocks. */
const baseUrl = 'https://shop.test/api';

async function ask(path, init = {}) {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
  const answer = await fetch(baseUrl + path, { headers, ...init });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message);
  return body;
}

export async function buy(order) {
  const { orderId, data } = await ask('/order', { method: 'POST', body: JSON.stringify(order) });
  return { orderId, total: data.total_price };
}

export async function isPaid(orderId) {
  const { data } = await ask(`/invoice/${orderId}/payment-status`);
  return data.payment_status === 'PAID';
}
