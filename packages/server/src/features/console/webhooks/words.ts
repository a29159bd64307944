import type { WebhookState } from '@topup-kit/core/store';
import type { StateWords } from '../parts.ts';

/** How the pages of the console name what came of sending an event. */
export const deliveryWords: Record<WebhookState, StateWords> = {
  pending: { text: { id: 'menunggu', en: 'pending' }, tone: 'busy' },
  delivered: { text: { id: 'diterima', en: 'delivered' }, tone: 'good' },
  failed: { text: { id: 'gagal', en: 'failed' }, tone: 'bad' },
};
