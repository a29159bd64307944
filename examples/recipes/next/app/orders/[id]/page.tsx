import { client } from '../../topup.ts';

export const dynamic = 'force-dynamic';

export default async function Order({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { data, error } = await client.invoices.paymentStatus(id).safe();
  return <output>{data ? `${data.data.payment_status} ${data.data.buy_status}` : error.code}</output>;
}
