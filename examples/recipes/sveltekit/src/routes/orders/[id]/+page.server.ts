import { client } from '../../../topup.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ params }) => {
  const { data, error } = await client.invoices.paymentStatus(params.id).safe();
  return { status: data ? `${data.data.payment_status} ${data.data.buy_status}` : error.code };
};
