export type { PortabilityFinding, PortabilityReport } from './checks/portability.ts';
export { createMockService, type MockService, type OrderControls, type OrderState } from './mock-service.ts';
export type { MockOptions } from './options.ts';
export type { MockRequest } from './requests.ts';
export type { ActiveScenario, ScenarioPlace } from './scenarios/board.ts';
export { type ScenarioName, scenarioHeader, scenarios } from './scenarios/names.ts';
export type { MockSnapshot } from './world/worlds.ts';
