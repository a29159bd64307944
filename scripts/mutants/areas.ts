interface Area {
  code: string[];
  /** In this order: the sooner a mutant is noticed, the better. */
  tests: string[];
  without?: string[];
}

export const areas: Record<string, Area> = {
  engine: {
    code: ['packages/core/src/engine/**/*.ts'],
    tests: [
      'packages/core/test/{pricing,unique-codes,operators,delivery,callbacks*,supplier-*,catalog-diff,keys-and-times}.test.ts',
      'packages/core/test/{failures,alerts,provider-problems,payment-events,promo-validation,sandbox-*}.test.ts',
      'packages/core/test/{due-work,payment-polling,order-lifetime,dialect,access}.test.ts',
    ],
    without: ['packages/core/test/supplier-suite.test.ts'],
  },
  contract: {
    code: ['packages/core/src/contract/*.ts', 'packages/core/src/contract/dialect/*.ts'],
    tests: [
      'packages/core/test/{nearest,errors,dialect-file,interface-path,language,catalog-schema,keys-and-times}.test.ts',
      'packages/sdk/test/validation/*.test.ts',
      'packages/core/test/{promo-validation,payment-events,access,sandbox-routes,dialect,openapi-document}.test.ts',
    ],
  },
  memory: {
    code: ['packages/core/src/store/memory/*.ts'],
    tests: ['packages/core/test/memory-store.test.ts'],
  },
  sqlite: {
    code: ['packages/server/src/sqlite/*.ts'],
    tests: [
      'packages/server/test/sqlite-store.test.ts',
      'packages/server/test/sqlite-*.test.ts',
      'packages/server/test/{full-disk,foreign-lock}.test.ts',
    ],
    without: ['packages/server/test/sqlite-restore-kill.test.ts', '**/*.slow.test.ts'],
  },
  sending: {
    code: ['packages/sdk/src/sending/*.ts'],
    tests: [
      'packages/sdk/test/{retries,retry-table,idempotency-*,request*,headers,base-url,path,order-*,unknown-outcome}.test.ts',
      'packages/sdk/test/{response-*,http-error,connection-errors,hooks,logging,light,promos,rate-limit-hints}.test.ts',
      'packages/sdk/test/{bare-server,calls,custom-request,environment,hostile-responses,ky-traps}.test.ts',
      'packages/sdk/test/{misleading-base-url,missing-globals,option-names,secrets,services}.test.ts',
    ],
  },
};
