/** Represents your app. It needs only the path of the service; nothing in it depends on the mock. */
export function showOrder(root: HTMLElement, order: object): void {
  const button = Object.assign(document.createElement('button'), { textContent: 'Buy' });
  const status = Object.assign(document.createElement('output'), { textContent: '' });
  const image = document.createElement('img');
  root.replaceChildren(button, status, image);

  async function request(path: string, init?: RequestInit) {
    const response = await fetch(`/api${path}`, {
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      ...init,
    });
    const body = await response.json();
    if (!response.ok) throw new Error(body.message);
    return body;
  }

  async function buy(): Promise<void> {
    const { orderId, data } = await request('/order', { method: 'POST', body: JSON.stringify(order) });
    image.src = data.qr_url ?? '';
    for (;;) {
      const { data: state } = await request(`/invoice/${orderId}/payment-status`);
      status.textContent = `${orderId} is ${state.payment_status}`;
      if (state.payment_status !== 'UNPAID') return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  button.addEventListener('click', () => {
    buy().catch((error: Error) => {
      status.textContent = error.message;
    });
  });
}
