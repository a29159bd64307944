export type { MockRequest } from './calls.ts';
export { createMockService, type MockService, type OrderControls, type OrderState } from './mock-service.ts';
export type { MockOptions } from './options.ts';
export type { PortabilityFinding, PortabilityReport } from './portability.ts';
export type { ActiveScenario, ScenarioPlace } from './scenarios.ts';
export { type ScenarioName, scenarioHeader, scenarios } from './scenarios.ts';
export type { MockSnapshot } from './world/worlds.ts';
