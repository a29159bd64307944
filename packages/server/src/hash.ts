import { hash as digest } from 'node:crypto';
import type { Hash } from '@topup-kit/core/platform';

/** SHA-256 in hex, by the platform. */
export const sha256Hex: Hash = (text) => digest('sha256', text, 'hex');
