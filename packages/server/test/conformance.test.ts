import { conformanceCases, runCase } from '@topup-kit/conformance';
import { afterAll, assert, beforeAll, describe, it } from 'vitest';
import { crowded } from '../../core/test/helpers/crowded.ts';
import { startHttpTarget } from './helpers/http-target.ts';

describe('conformance, Node HTTP over the file store', () => {
  let http: Awaited<ReturnType<typeof startHttpTarget>>;
  beforeAll(async () => {
    http = await startHttpTarget();
  });
  afterAll(() => http[Symbol.asyncDispose]());

  for (const one of conformanceCases.filter(({ name }) => name !== crowded))
    it(one.name, { timeout: 60_000 }, async () => {
      const { outcome, reason } = await runCase(one, http.target);
      assert(outcome === 'passed', reason);
    });
});
