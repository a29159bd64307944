/** Stands for your app: it knows an address, and nothing of mocks. */
const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};
const show = (text) => {
  document.querySelector('output').textContent = text;
};

async function watch(orderId) {
  const answer = await fetch(`/api/invoice/${orderId}/payment-status`);
  const { data } = await answer.json();
  show(`${orderId} is ${data.payment_status}`);
  setTimeout(watch, 200, orderId);
}

async function buy() {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
  const answer = await fetch('/api/order', { method: 'POST', headers, body: JSON.stringify(order) });
  const { orderId, message, data } = await answer.json();
  if (!answer.ok) return show(message);
  document.querySelector('img').src = data.qr_url;
  await watch(orderId);
}

document.querySelector('button').addEventListener('click', () => {
  buy().catch(() => show('No connection'));
});
