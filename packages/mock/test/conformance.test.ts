import { describe } from 'vitest';
import { createMockService } from '../src/index.ts';
import { mockTarget } from './browser/mock-target.ts';
import { conformanceSuite } from './helpers/conformance-suite.ts';

// Over MSW in Chromium it is run by `browser/parity.test.ts`, over MSW in Node by `conformance.slow.test.ts`.
describe('conformance, in-process', () => {
  const mock = createMockService();
  conformanceSuite(mockTarget(mock, mock.fetch));
});
