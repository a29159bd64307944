import {
  addFigures,
  noFigures,
  reconciliationsOf,
  type SalesFigures,
  saleLines,
  strayFeeLine,
} from '../../store/index.ts';
import type { MemoryPart } from '../../store/memory/state.ts';
import { type OrdersOfMethod, type ReportStore, salesKeyOf } from './store.ts';

/** Reports of a memory store. They are added up from the orders, so nothing is prepared or erased. */
export const reportsInMemory: MemoryPart<object, ReportStore> = {
  tables: () => ({}),
  commands: (state) => ({
    async countOutcomes({ from, before }) {
      const counts = new Map<string, OrdersOfMethod>();
      for (const { createdAt, paymentMethod, paymentStatus, buyStatus } of state.orders.values()) {
        if (createdAt < from || createdAt >= before) continue;
        const name = `${paymentMethod.id} ${paymentStatus} ${buyStatus}`;
        const count = (counts.get(name)?.count ?? 0) + 1;
        counts.set(name, { paymentMethodId: paymentMethod.id, paymentStatus, buyStatus, count });
      }
      return [...counts.values()];
    },
    prepareSales: async () => 0,
    async sumSales({ from, before }, by) {
      const sums = new Map<string, SalesFigures>();
      const stored = [...state.reconciliations.values()];
      const lines = [...state.orders].flatMap(([orderId, order]) =>
        saleLines({
          order,
          units: state.units.get(orderId) ?? [],
          history: state.history.get(orderId) ?? [],
          refunds: [...state.refunds.values()].filter((refund) => refund.orderId === orderId),
          reconciliations: reconciliationsOf(order, stored),
        }),
      );
      for (const line of [...lines, ...stored.flatMap((payment) => strayFeeLine(payment) ?? [])]) {
        if (line.at < from || line.at >= before) continue;
        const key = salesKeyOf(line, by);
        sums.set(key, addFigures(sums.get(key) ?? noFigures, line));
      }
      return [...sums]
        .map(([key, figures]) => ({ key, ...figures }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
    },
  }),
};
