interface Area {
  code: string[];
  tests: string[];
  /** Tests that start processes, where no mutant is, or that take long. */
  without?: string[];
}

export const areas: Record<string, Area> = {
  engine: {
    code: ['packages/core/src/engine/**/*.ts'],
    tests: [
      'packages/core/test/*.test.ts',
      'packages/server/test/money.test.ts',
      'scripts/mutants/worlds.test.ts',
    ],
    without: [
      'packages/core/test/{order-states.property,openapi-*,pictures,platform-types,language,first-order}.test.ts',
    ],
  },
  contract: {
    code: ['packages/core/src/contract/*.ts', 'packages/core/src/contract/{dialect,openapi}/*.ts'],
    tests: ['packages/core/test/*.test.ts', 'packages/sdk/test/validation/*.test.ts'],
    without: [
      'packages/core/test/{order-states.property,openapi-traffic,pictures,platform-types}.test.ts',
      'packages/core/test/{delivery,due-work,supplier-*,payment-polling,callbacks*}.test.ts',
    ],
  },
  memory: {
    code: ['packages/core/src/store/memory/*.ts'],
    tests: ['packages/core/test/memory-store.test.ts'],
  },
  sqlite: {
    code: ['packages/server/src/{sqlite,rows}/*.ts'],
    tests: ['packages/server/test/sqlite-*.test.ts', 'packages/server/test/{full-disk,foreign-lock}.test.ts'],
    without: ['packages/server/test/sqlite-{restore-kill,no-file,plans}.test.ts', '**/*.slow.test.ts'],
  },
  sending: {
    code: ['packages/sdk/src/sending/*.ts'],
    tests: ['packages/sdk/test/*.test.ts'],
    without: [
      'packages/sdk/test/{contract-types,hovers,types,in-browser,is-topup-error,leaks}.test.ts',
      'packages/sdk/test/{wait-for,wait-for-iteration,missing-globals}.test.ts',
    ],
  },
};
