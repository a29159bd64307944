import { createTopupClient } from '@topup-kit/sdk';
import { createTopupClient as createLightClient } from '@topup-kit/sdk/light';

/** Both clients. Their behaviour must not depend on the HTTP implementation (ky or the platform). */
export const entries = [
  ['@topup-kit/sdk', createTopupClient],
  ['@topup-kit/sdk/light', createLightClient],
] as const;
