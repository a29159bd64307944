import type { Supplier } from '@topup-kit/server';

export function createSupplier(api: string, key: string): Supplier {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
  return {
    name: 'example-supply',
    sandbox: false,
    abilities: {
      // A purchase is looked up by the supplier's own id, at most once a minute, for as long as you like.
      findBy: 'supplierId',
      findIntervalMs: 60_000,
      referenceLifetimeMs: null,
    },
    async submit({ reference, productCode, target, maxPrice }, signal) {
      const player = { player: target.id, zone: target.server };
      const response = await fetch(`${api}/orders`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ reference, product: productCode, ...player, max_price: maxPrice }),
        signal,
      });
      // This supplier says that nothing is bought with a 422.
      if (response.status === 422) return { state: 'failed', reason: (await response.json()).message };
      if (!response.ok) throw new Error(`The supplier responded with ${response.status}.`);
      const { id } = await response.json();
      return { state: 'pending', supplierId: id };
    },
    async find({ supplierId }, signal) {
      const response = await fetch(`${api}/orders/${supplierId}`, { headers, signal });
      if (!response.ok) throw new Error(`The supplier responded with ${response.status}.`);
      const { status, serial, message } = await response.json();
      if (status === 'success') return { state: 'delivered', serialNumber: serial };
      return status === 'failed' ? { state: 'failed', reason: message } : { state: 'pending' };
    },
  };
}
