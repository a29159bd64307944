import { conformanceCases, runCase } from '@topup-kit/conformance';
import { expect, it } from 'vitest';
import { crowded } from '../../core/test/helpers/crowded.ts';
import { startHttpTarget } from './helpers/http-target.ts';

it(`conformance, Node HTTP over the file store: ${crowded}`, { timeout: 60_000 }, async () => {
  const one = conformanceCases.find(({ name }) => name === crowded) ?? expect.fail();
  await using http = await startHttpTarget();

  const { outcome, reason } = await runCase(one, http.target);

  expect(outcome, reason).toBe('passed');
});
