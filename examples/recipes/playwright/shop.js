/** Represents your app. It needs only the path of the service; nothing in it depends on the mock. */
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
  const response = await fetch(`/api/invoice/${orderId}/payment-status`);
  const { data } = await response.json();
  show(`${orderId} is ${data.payment_status}`);
  setTimeout(watch, 200, orderId);
}

async function buy() {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
  const response = await fetch('/api/order', { method: 'POST', headers, body: JSON.stringify(order) });
  const { orderId, message, data } = await response.json();
  if (!response.ok) return show(message);
  document.querySelector('img').src = data.qr_url;
  await watch(orderId);
}

document.querySelector('button').addEventListener('click', () => {
  buy().catch(() => show('No connection'));
});
