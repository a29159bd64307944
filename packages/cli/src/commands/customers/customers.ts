import { defineGroup } from '../../define-command.ts';
import { isoTime, timeInColumn, titleWithZone } from '../../output/format.ts';
import { tableOf } from '../../output/table.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { erase } from './erase.ts';
import { show } from './show.ts';

const erasures = defineStoreCommand({
  name: 'erasures',
  description: 'List erasures with time and operator, without the customers',
  example: 'customers erasures',
  async run({ store, path }, context) {
    const all = await store.listErasures();
    await context.print({
      document: { erasures: all.map(({ at, ...erasure }) => ({ at: isoTime(at), ...erasure })) },
      screen: (style) =>
        tableOf(
          [
            [{ title: titleWithZone('BEGUN', all[0]?.at ?? 0) }, ({ at }) => timeInColumn(at)],
            [{ title: 'BY', long: true }, ({ by }) => by],
            [{ title: 'ORDERS', align: 'right' }, ({ orders }) => String(orders)],
            [{ title: 'CALLBACKS', align: 'right' }, ({ callbacks }) => String(callbacks)],
            [{ title: 'EVENTS', align: 'right' }, ({ events }) => String(events)],
          ],
          all,
          style,
        ),
    });
    if (all.length === 0) context.remark(`Nothing was erased in ${path}.`);
  },
});

export const noun = defineGroup(
  'These commands work on the store, as an operator, even while a server runs.',
  [show, erase, erasures],
);
