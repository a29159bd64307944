import { expect, it } from 'vitest';
import { ProviderError } from '../../providers/src/http.ts';
import { createLogger } from '../src/seeing/logger.ts';

/** What is logged of an error. */
async function logged(error: unknown) {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const logger = await createLogger({ level: 'warn', format: 'json', secrets: [], stream });
  logger.warn({ err: error }, 'it failed');
  return JSON.parse(lines.join(''));
}

it('what a provider rejects is logged without a stack, any other error with one', async () => {
  const rejected = new ProviderError("Digiflazz: the request can't be carried out now (rc 83).");
  expect(await logged(rejected)).toMatchObject({
    msg: 'it failed',
    err: { type: 'ProviderError', message: rejected.message },
  });
  expect((await logged(rejected)).err).not.toHaveProperty('stack');
  expect((await logged(new TypeError('broken'))).err).toMatchObject({
    type: 'TypeError',
    stack: expect.stringContaining('logger.test.ts'),
  });
});
