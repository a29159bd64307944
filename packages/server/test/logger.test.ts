import { IntendedError } from '@topup-kit/core/features/sandbox';
import { expect, it } from 'vitest';
import { ProviderError } from '../../providers/src/http.ts';
import { PostgresError, StoreFileError } from '../src/index.ts';
import { createLogger } from '../src/observability/logger.ts';

/** What is logged of an error. */
async function logged(error: unknown) {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const logger = await createLogger({ level: 'warn', format: 'json', secrets: [], stream });
  logger.warn({ err: error }, 'it failed');
  return JSON.parse(lines.join(''));
}

it("logs a provider's rejection without a stack, and any other error with its stack", async () => {
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

it.each([
  [
    'a full disk',
    new StoreFileError('writes_paused', 'it accepts no writes', { cause: new Error('disk is full') }),
  ],
  [
    "another process's lock",
    new StoreFileError('busy', 'another process', { cause: new StoreFileError('busy', 'locked') }),
  ],
  ['a scenario that fails a provider', new IntendedError('scenario', { cause: new Error('why') })],
  [
    'an unreachable database',
    new PostgresError('unreachable', 'no database', { cause: new Error('refused') }),
  ],
])('logs %s in one line without a stack', async (_trouble, error) => {
  const { err } = await logged(error);
  expect(err).toMatchObject({ type: error.name, message: error.message });
  if ('problem' in error) expect(err.problem).toBe(error.problem);
  expect(err.cause).toHaveProperty('message');
  expect(JSON.stringify(err)).not.toContain('stack');
});

it('escapes control and bidi characters, so that no text controls the terminal', async () => {
  // C0, DEL, C1 (U+009B begins a control sequence), bidi, and the line separators of Unicode.
  const said = 'a\u001b[31m\u007f\u0085\u009b31m\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u2028\u2029b 😀é';
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const logger = await createLogger({ level: 'warn', format: 'json', secrets: ['é'], stream });
  logger.warn({ about: said, err: new Error(said) }, said);
  const written = lines.join('');
  expect(written.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
  const read = said.replace('é', '[secret]');
  expect(JSON.parse(written)).toMatchObject({ about: read, err: { message: read }, msg: read });
});
