export { conformanceCases } from './cases/index.ts';
export { type Difference, keyVariables, type RecordedRequest, type SpecReference } from './failure.ts';
export {
  type ConformanceFixture,
  type PaymentMethodInfo,
  type RejectedPromos,
  sandboxFixture,
} from './fixture.ts';
export { discoverFixture } from './learn/discover-fixture.ts';
export { learnDialect } from './learn/learn-dialect.ts';
export type { ConformanceCase, ConformanceTarget, SandboxControls } from './probe.ts';
export { type DescribeOptions, describeService, type ServiceDescription } from './report/describe-service.ts';
export type { ServiceDifference } from './report/differences.ts';
export { type ConformanceResult, type RunOptions, runCase, runConformance } from './run.ts';
export { sentenceFile, sentenceOf } from './sentences.ts';
export { checkCoverage, notProvable, parseStatements } from './statements.ts';
