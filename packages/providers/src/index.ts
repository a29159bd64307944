export { type FaultName, faultNames, faults } from './simulators/faults.ts';
export {
  type ProviderName,
  providerNames,
  type RunningSimulators,
  SimulatorAddressError,
  type SimulatorOptions,
  startSimulators,
} from './simulators/host.ts';
