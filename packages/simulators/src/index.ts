export { type FaultName, faultNames, faults } from './faults.ts';
export {
  type RunningSimulators,
  SimulatorAddressError,
  type SimulatorOptions,
  startSimulators,
} from './host.ts';
