interface Area {
  code: string[];
  tests: string[];
  /** Tests to leave out: those that start processes, which have no mutants, and those that take long. */
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
    code: ['packages/server/src/{sqlite,rows,sql}/*.ts'],
    tests: [
      'packages/server/test/sqlite-*.test.ts',
      'packages/server/test/{columns,store-report,full-disk,foreign-lock}.test.ts',
    ],
    without: ['packages/server/test/sqlite-{restore-kill,no-file,plans}.test.ts', '**/*.{slow,long}.test.ts'],
  },
  sending: {
    code: ['packages/sdk/src/sending/*.ts'],
    tests: ['packages/sdk/test/*.test.ts'],
    without: [
      'packages/sdk/test/{contract-types,hovers,types,in-browser,is-topup-error,leaks}.test.ts',
      'packages/sdk/test/{wait-for,wait-for-iteration,missing-globals}.test.ts',
    ],
  },
  http: {
    code: ['packages/core/src/http/*.ts'],
    tests: [
      'packages/core/test/{access,address-limits,broken-upload,client-name,mask-credentials,rate-limiter,read-bytes}.test.ts',
      'packages/sdk/test/*.test.ts',
    ],
    without: [
      'packages/sdk/test/{contract-types,hovers,types,in-browser,is-topup-error,leaks}.test.ts',
      '**/*.{slow,long}.test.ts',
    ],
  },
  app: {
    code: ['packages/core/src/app/**/*.ts'],
    tests: [
      'packages/core/test/*.test.ts',
      'packages/mock/test/{conformance,controls,scenarios,snapshot,options}.test.ts',
      'packages/server/test/{callbacks,client-address,cors,dialect,guard,http,page-policy,payment-page,request-log,return-url,scenarios}.test.ts',
    ],
    without: [
      'packages/core/test/{order-states.property,openapi-traffic,platform-types}.test.ts',
      'packages/core/test/{first-order,order-recovery,due-work*,catalog-*,delivery*,supplier-*,sandbox-catalog,memory-store}.test.ts',
      '**/*.{slow,long}.test.ts',
    ],
  },
  providers: {
    code: ['packages/{providers,simulators}/src/**/*.ts'],
    tests: ['packages/{providers,simulators}/test/*.test.ts'],
    without: ['packages/simulators/test/{docs,page}.test.ts', '**/*.{slow,long}.test.ts'],
  },
  postgres: {
    code: ['packages/server/src/{postgres,rows,sql}/*.ts'],
    tests: [
      'packages/server/test/postgres-*.test.ts',
      'packages/server/test/{columns,store-report,sqlite-store}.test.ts',
    ],
    without: ['**/*.{slow,long}.test.ts'],
  },
  cli: {
    code: ['packages/cli/src/**/*.ts'],
    tests: ['packages/cli/test/*.test.ts'],
    without: [
      'packages/cli/test/{deployment,kept-socket,kill-create,orders-full-disk,process}.test.ts',
      '**/*.{slow,long}.test.ts',
    ],
  },
};
