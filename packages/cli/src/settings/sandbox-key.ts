/** A module of its own, so that who loads it on demand loads no more of the engine. */
export { sandboxKey } from '@topup-kit/core/engine';
