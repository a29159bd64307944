import { expect, it } from 'vitest';
import { ProviderError } from '../../providers/src/http.ts';
import { createLogger } from '../src/logger.ts';

/** What is logged of an error. */
function logged(error: unknown) {
  const lines: string[] = [];
  createLogger('warn', { write: (line) => void lines.push(line) }).warn({ err: error }, 'it failed');
  return JSON.parse(lines.join(''));
}

it('what a provider rejects is logged without a stack, any other error with one', () => {
  const rejected = new ProviderError("Digiflazz: the request can't be carried out now (rc 83).");
  expect(logged(rejected)).toMatchObject({
    msg: 'it failed',
    err: { type: 'ProviderError', message: rejected.message },
  });
  expect(logged(rejected).err).not.toHaveProperty('stack');
  expect(logged(new TypeError('broken')).err).toMatchObject({
    type: 'TypeError',
    stack: expect.stringContaining('logger.test.ts'),
  });
});
