import { hash as digest } from 'node:crypto';
import type { Hash } from '@topup-kit/core/platform';

export const sha256Hex: Hash = (text) => digest('sha256', text, 'hex');
