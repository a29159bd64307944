import { isTopupError } from '@topup-kit/sdk';
import { redirect } from 'next/navigation';
import { client } from './topup.ts';

export const dynamic = 'force-dynamic';

const selection = { game: 'mobile-legends', product_id: 901, payment_method_id: 12 };

async function buy(form: FormData) {
  'use server';
  const field = (name: string) => String(form.get(name) ?? '');
  const account = { id: field('id'), server: field('server'), whatsapp: field('whatsapp') };
  const { data, error } = await client.orders.create({ ...selection, ...account }, { maxRetries: 0 }).safe();
  redirect(data ? `/orders/${data.orderId}` : `/?failed=${isTopupError(error) ? error.code : 'UNKNOWN'}`);
}

export default async function Shop({ searchParams }: { searchParams: Promise<{ failed?: string }> }) {
  const { failed } = await searchParams;
  const { data: game } = await client.games.get(selection.game);
  return (
    <main>
      <h1>{game.title}</h1>
      <form action={buy}>
        <input name="id" aria-label="Player id" required />
        <input name="server" aria-label="Server" required />
        <input name="whatsapp" aria-label="WhatsApp number" required />
        <button type="submit">Buy 86 Diamond</button>
      </form>
      {failed === undefined ? null : <p role="alert">{failed}</p>}
    </main>
  );
}
