import { useState } from 'react';
import { Button, Text, View } from 'react-native';
import { client } from './topup.js';

/** Represents your app: it places an order, and shows its state when the customer asks for it. */
export function Shop({ order }) {
  const [orderId, setOrderId] = useState();
  const [shown, setShown] = useState('');

  async function buy() {
    const { data, error } = await client.orders.create(order).safe();
    setOrderId(data?.orderId);
    setShown(data ? 'Waiting for your payment' : error.message);
  }

  async function refresh() {
    const { data, error } = await client.invoices.paymentStatus(orderId).safe();
    setShown(data ? `${data.data.payment_status} ${data.data.buy_status}` : error.message);
  }

  return (
    <View>
      <Button title="Buy" onPress={buy} />
      <Button title="Refresh" onPress={refresh} disabled={!orderId} />
      <Text role="status">{shown}</Text>
      <Text testID="order">{orderId}</Text>
    </View>
  );
}
