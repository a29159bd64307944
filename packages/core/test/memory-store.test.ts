import { describe, it } from 'vitest';
import { createMemoryStore } from '../src/store/index.ts';
import { storeSuite } from '../src/store/suite/index.ts';

describe('memory store', () => {
  for (const { name, run } of storeSuite) it(name, () => run(createMemoryStore()));
});
