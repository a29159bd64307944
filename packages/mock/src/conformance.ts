export {
  type ConformanceCase,
  type ConformanceFixture,
  type ConformanceResult,
  type ConformanceTarget,
  type DescribeOptions,
  type Difference,
  describeService,
  type PaymentMethodInfo,
  type RejectedPromos,
  type RunOptions,
  runConformance,
  type SandboxControls,
  type ServiceDescription,
  type ServiceDifference,
  type SpecReference,
} from '@topup-kit/conformance';
export type { CreateOrderRequest, Dialect, DialectOverrides, PaymentGroup } from '@topup-kit/core/contract';
