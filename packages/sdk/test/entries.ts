import { createTopupClient } from '@topup-kit/sdk';
import { createTopupClient as createLightClient } from '@topup-kit/sdk/light';

/** Both clients: what HTTP is done by, ky or the platform, is for nobody to notice. */
export const entries = [
  ['@topup-kit/sdk', createTopupClient],
  ['@topup-kit/sdk/light', createLightClient],
] as const;
