export {
  type Citation,
  type ConformanceCase,
  type ConformanceResult,
  type DescribeOptions,
  type Difference,
  describeService,
  type MethodFacts,
  type RejectedPromos,
  type RunOptions,
  runConformance,
  type Sample,
  type SandboxControls,
  type ServiceDescription,
  type ServiceDifference,
  type Target,
} from '@topup-kit/conformance';
export type { CreateOrderRequest, Dialect, DialectOverrides, PaymentGroup } from '@topup-kit/core/contract';
