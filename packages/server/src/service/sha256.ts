import { hash as digest } from 'node:crypto';
import type { Hash } from '@topup-kit/core/platform';

/** Computes SHA-256 as hex. */
export const sha256Hex: Hash = (text) => digest('sha256', text, 'hex');
