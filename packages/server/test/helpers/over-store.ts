import type { Store } from '@topup-kit/core/store';
import type { SectionDependencies } from '../../src/features/console/section.ts';
import { createViews, type View } from '../../src/features/console/view.ts';

/** What the console reads and shows over a store of a test. */
export function overStore(store: Store): [deps: SectionDependencies, view: View] {
  const settings = { publicUrl: 'http://localhost', timezone: 'Asia/Jakarta', currency: 'IDR' };
  // Safe: the pages and actions of such tests use nothing else.
  const deps = {
    store,
    settings,
    url: 'http://localhost/console',
    now: Date.now,
    position: async () => 0,
  } as unknown as SectionDependencies;
  const visitor = { operator: 'Dewi', mayAct: true, session: false, token: 'token' };
  return [deps, createViews(deps)({ visitor, locale: 'en', here: '' })];
}
