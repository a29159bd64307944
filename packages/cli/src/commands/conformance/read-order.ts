import { readFile } from 'node:fs/promises';
import type { OrderRequest } from '@topup-kit/core/contract';
import { usageProblem } from '../../errors/cli-error.ts';

/** Reads the order that a service is said to take. */
export async function readOrder(file: string): Promise<OrderRequest> {
  const { orderFields, validateFields } = await import('@topup-kit/core/contract');
  let order: unknown;
  try {
    order = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw usageProblem(`${file} is no JSON to read: ${error instanceof Error ? error.message : error}.`);
  }
  if (typeof order !== 'object' || order === null) throw usageProblem(`${file} holds no order.`);
  const checked = validateFields(orderFields, { ...order });
  if ('errors' in checked)
    throw usageProblem(`${file} holds no order: ${Object.values(checked.errors).flat().join(' ')}`);
  return checked.values;
}
