import { fail, redirect } from '@sveltejs/kit';
import { isTopupError } from '@topup-kit/sdk';
import { client } from '../topup.ts';
import type { Actions } from './$types';

const selection = { game: 'mobile-legends', product_id: 901, payment_method_id: 12 };

export async function load() {
  const { data: game } = await client.games.get(selection.game);
  return { title: game.title };
}

export const actions: Actions = {
  async default({ request }) {
    const form = await request.formData();
    const field = (name: string) => String(form.get(name) ?? '');
    const account = { id: field('id'), server: field('server'), whatsapp: field('whatsapp') };
    const { data, error } = await client.orders
      .create({ ...selection, ...account }, { maxRetries: 0 })
      .safe();
    if (data) redirect(303, `/orders/${data.orderId}`);
    return fail(502, { failed: isTopupError(error) ? error.code : 'UNKNOWN' });
  },
};
