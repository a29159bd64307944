import { createTopupClient, formatMoney, unitPrice } from '@topup-kit/sdk';
import { describeError, describeOrder, placeOrder } from './shop.ts';

// The path of the proxy in server/topup-proxy.ts. The sandbox honours idempotency keys; for another service, remove the option.
const client = createTopupClient({
  baseUrl: '/api/topup',
  idempotency: 'supported',
  headers: { 'Accept-Language': 'en' },
});

function find<Found extends Element>(selector: string): Found {
  const found = document.querySelector<Found>(selector);
  if (!found) throw new Error(`index.html has no ${selector}.`);
  return found;
}

const main = find<HTMLElement>('main');
const status = find<HTMLElement>('[role=status]');

/** Makes an element with text or other elements in it. Text is never read as HTML. */
function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  ...children: (string | Node)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Shows the problem of an action to the customer. */
const attempt = (action: () => Promise<void>): void =>
  void action().catch((error: unknown) => {
    status.textContent = describeError(error);
  });

const rupiah = (amount: number): string => formatMoney(amount, 'IDR', 'en');

async function showGames(): Promise<void> {
  const { games } = await client.games.list();
  const items = games.map(({ title, slug }) => {
    const button = element('button', { type: 'button' }, title);
    button.addEventListener('click', () => attempt(() => showGame(slug)));
    return element('li', {}, button);
  });
  main.replaceChildren(element('ul', {}, ...items));
}

const select = (
  label: string,
  name: string,
  options: readonly (readonly [value: string, text: string])[],
): HTMLElement => {
  const choices = options.map(([value, text]) => element('option', { value }, text));
  return element('label', {}, label, element('select', { name }, ...choices));
};

const input = (label: string, name: string): HTMLElement =>
  element('label', {}, label, element('input', { name, required: '' }));

async function showGame(slug: string): Promise<void> {
  const { game, paymentMethods } = await client.checkout.get(slug);
  const products = game.products.map(
    (product) => [`${product.id}`, `${product.title}: ${rupiah(unitPrice(product))}`] as const,
  );
  const methods = paymentMethods
    .filter((method) => method.status)
    .map((method) => [`${method.id}`, method.name] as const);
  // The service says which fields a game's account has.
  const account = game.fields.map(({ name, label, options }) =>
    options
      ? select(
          label,
          name,
          options.map((option) => [option, option]),
        )
      : input(label, name),
  );
  const form = element(
    'form',
    {},
    element('h2', {}, game.title),
    ...account,
    input('WhatsApp number', 'whatsapp'),
    select('Product', 'product', products),
    select('Payment method', 'method', methods),
    element('button', {}, 'Buy'),
  );
  // One key for this cart: after a lost response, Buy places no second order. A changed cart gets a new key.
  let idempotencyKey = crypto.randomUUID();
  form.addEventListener('input', () => {
    idempotencyKey = crypto.randomUUID();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const entered = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    attempt(async () => {
      const cart = {
        game: slug,
        productId: Number(entered.product),
        paymentMethodId: Number(entered.method),
        account: entered,
        whatsapp: entered.whatsapp ?? '',
      };
      const { orderId, total, paymentUrl } = await placeOrder(client, cart, idempotencyKey);
      await showOrder(orderId, total, paymentUrl);
    });
  });
  status.textContent = '';
  main.replaceChildren(form);
}

async function showOrder(orderId: string, total: number, paymentUrl: string): Promise<void> {
  const pay = element('a', { href: paymentUrl, target: '_blank' }, `Pay ${rupiah(total)}`);
  main.replaceChildren(element('h2', {}, orderId), pay);
  for await (const { payment_status, buy_status } of client.orders.waitFor(orderId)) {
    pay.hidden = payment_status !== 'UNPAID';
    status.textContent = describeOrder(payment_status, buy_status);
  }
}

attempt(showGames);
