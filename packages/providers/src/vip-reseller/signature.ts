import { createHash } from 'node:crypto';

/** The `sign` of every request, and the header of every webhook: a constant that proves nothing about a body. */
export const constantSignature = (apiId: string, apiKey: string): string =>
  createHash('md5').update(`${apiId}${apiKey}`).digest('hex');
