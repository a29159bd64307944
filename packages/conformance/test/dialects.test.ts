import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../core/src/contract/index.ts';
import { sandboxKey } from '../../core/src/contract/index.ts';
import { crowded } from '../../core/test/helpers/crowded.ts';
import { createTestService } from '../../core/test/helpers/test-service.ts';
import { type ConformanceResult, type ConformanceTarget, runConformance } from '../src/index.ts';
import { plausibleDialects } from './helpers/plausible-dialects.ts';

/** A service with a dialect, as a target that is tested in that dialect. */
async function targetOf(dialect: Dialect): Promise<ConformanceTarget> {
  const { app, sandbox } = await createTestService({ settings: { dialect } });
  return {
    baseUrl: 'http://localhost/api',
    apiKey: sandboxKey,
    dialect,
    sandbox: {
      act: async (orderId, action) => void (await sandbox.act(orderId, action)),
      advance: (by) => sandbox.advance(by),
    },
    fetch: (url, init) => app.fetch(new Request(url, init)),
  };
}

/** The host serves the payment page; there is no host in this process. */
const servedByHost =
  'keys (extension): the payment page opens without a key, and shows no phone and no e-mail';

const run = async (dialect: Dialect): Promise<ConformanceResult[]> =>
  runConformance(await targetOf(dialect), {
    writes: true,
    only: ({ name }) => name !== servedByHost && name !== crowded,
  });

const reasons = (results: ConformanceResult[], outcome: string): (string | undefined)[] =>
  results.filter((one) => one.outcome === outcome).map(({ reason }) => reason);

const resultsByDialect = new Map<string, ConformanceResult[]>();

for (const [name, dialect] of Object.entries(plausibleDialects))
  describe(`a service with the dialect ${name}`, async () => {
    const results = await run(dialect);
    resultsByDialect.set(name, results);

    it('conforms to the interface, and skips no case', () => {
      const ofInterface = results.filter(({ origin }) => origin === 'interface');
      expect(reasons(ofInterface, 'failed')).toEqual([]);
      expect(reasons(ofInterface, 'skipped')).toEqual([]);
    });

    it('passes the cases about extensions', () => {
      expect(reasons(results, 'failed')).toEqual([]);
    });
  });

it("skips the cases that a dialect doesn't support, with the reason", () => {
  const results = resultsByDialect.get('interface-only') ?? expect.fail();
  expect(new Set(reasons(results, 'skipped'))).toEqual(
    new Set([
      'the dialect has no GET /games/{slug}',
      'the dialect has no GET /order/{slug}',
      'the dialect has no GET /orders',
      'the dialect has no GET /events',
      'the dialect has no GET /invoice/{order_id}',
      'the dialect has no GET /invoice/{order_id}/payment-status',
      'the dialect has no POST /promo/validate',
      'the dialect has no POST /account/check',
      'the dialect ignores Idempotency-Key',
      'the dialect requires Accept',
      'the dialect does not accept messenger_number',
      'the dialect does not read return_url',
      'the target has no otherApiKey',
    ]),
  );
});
