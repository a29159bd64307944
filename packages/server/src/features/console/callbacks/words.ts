import type { CallbackOutcome } from '@topup-kit/core/callback';
import type { StateWords } from '../parts.ts';

/** How the pages of the console name what came of callbacks. */
export const outcomeWords: Record<CallbackOutcome, StateWords> = {
  applied: { text: { id: 'diterapkan', en: 'applied' }, tone: 'good' },
  unchanged: { text: { id: 'sudah diketahui', en: 'known before' }, tone: 'quiet' },
  contradiction: { text: { id: 'bertentangan', en: 'contradiction' }, tone: 'bad' },
  reconciliation: { text: { id: 'uang untuk dicocokkan', en: 'money to reconcile' }, tone: 'busy' },
  unmatched: { text: { id: 'tidak cocok dengan apa pun', en: 'matches nothing' }, tone: 'bad' },
  ignored: { text: { id: 'diabaikan', en: 'ignored' }, tone: 'quiet' },
  rejected: { text: { id: 'ditolak', en: 'rejected' }, tone: 'bad' },
  failed: { text: { id: 'gagal ditangani', en: 'not handled' }, tone: 'bad' },
};
