export { createTopupMock, type TopupMock } from './create-topup-mock.ts';
export { type DialectMockFactory, type DialectName, dialects, forEachDialect } from './dialects.ts';
export * from './in-process.ts';
export type { ErrorOverride, Override, OverrideAnswer } from './override.ts';
