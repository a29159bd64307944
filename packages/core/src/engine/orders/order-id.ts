import { type Random, randomText } from '../../platform/index.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** `INV-` + local `YYYYMMDDHHmmss` + `-` + 8 letters (interface 2.3; the digits' meaning: ours). */
export const createOrderId = (digits: string, random: Random): string =>
  `INV-${digits}-${randomText(random, letters, 8)}`;
