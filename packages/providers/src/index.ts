export { type ProviderName, providers } from './registry.ts';
export { type FaultName, faultNames, faults } from './simulators/faults.ts';
export {
  type RunningSimulators,
  SimulatorAddressError,
  type SimulatorOptions,
  startSimulators,
} from './simulators/host.ts';
