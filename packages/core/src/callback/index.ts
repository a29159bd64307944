export {
  type CallbackOutcome,
  type CallbackReading,
  type CallbackReceiver,
  type CallbackRequest,
  type CallbackResponse,
  callbackOutcomes,
} from './callback.ts';
export { parseCallbackReading } from './results.ts';
