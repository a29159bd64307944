'use client';

import { createTopupClient, type Game, isTopupError, type Order } from '@topup-kit/sdk';
import { useEffect, useState } from 'react';

// Next also renders this page on the server, where this path doesn't exist. So the first call is made in an effect.
const client = createTopupClient({ baseUrl: '/api/topup' });

const messageOf = (error: unknown): string => (isTopupError(error) ? error.message : String(error));

export default function Shop() {
  const [games, setGames] = useState<Game[]>([]);
  const [order, setOrder] = useState<Order>();
  const [failure, setFailure] = useState<string>();

  useEffect(() => {
    client.games.list().then(
      (response) => setGames(response.games),
      (error: unknown) => setFailure(messageOf(error)),
    );
  }, []);

  async function buy(form: FormData) {
    const field = (name: string) => String(form.get(name) ?? '');
    const account = { id: field('id'), server: field('server'), whatsapp: field('whatsapp') };
    try {
      const selection = { game: 'mobile-legends', product_id: 901, payment_method_id: 12 };
      setOrder((await client.orders.create({ ...selection, ...account })).data);
      setFailure(undefined);
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  return (
    <main>
      <ul>
        {games.map(({ slug, title }) => (
          <li key={slug}>{title}</li>
        ))}
      </ul>
      <form action={buy}>
        <input name="id" placeholder="Player id" aria-label="Player id" required />
        <input name="server" placeholder="Server" aria-label="Server" required />
        <input name="whatsapp" placeholder="WhatsApp number" aria-label="WhatsApp number" required />
        <button type="submit">Buy 86 Diamond</button>
      </form>
      {failure === undefined ? null : <p role="alert">{failure}</p>}
      {order === undefined ? null : (
        <output>
          {order.order_id}: {order.total_price} rupiah to pay
        </output>
      )}
    </main>
  );
}
