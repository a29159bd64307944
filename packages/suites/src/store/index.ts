import { activityCases } from './activity-cases.ts';
import { callbackCases } from './callbacks/callback-cases.ts';
import { editCases } from './catalog/edit-cases.ts';
import { catalogCases, putPromoCases } from './catalog-cases.ts';
import { changeCases } from './change-cases.ts';
import { consoleCases } from './console/console-cases.ts';
import { dueCases } from './due-cases.ts';
import { erasureCases } from './erasure-cases.ts';
import { idempotencyCases } from './idempotency-cases.ts';
import { keyCases } from './key-cases.ts';
import { lastStepCases } from './last-step-cases.ts';
import { listCases } from './list-cases.ts';
import { orderCases, pageCases } from './order-cases.ts';
import { problemCases } from './problem-cases.ts';
import { promoCases, reclaimCases } from './promo-cases.ts';
import { reconciliationCases, refundCases } from './reconciliation-cases.ts';
import { salesCases } from './reports/sales-cases.ts';
import { reservationCases } from './reservation-cases.ts';
import { searchCases } from './search-cases.ts';
import type { StoreCase, StoreCases } from './store-case.ts';
import { webhookCases } from './webhooks/webhook-cases.ts';
import { worldCases } from './world-cases.ts';

const topics: readonly StoreCases[] = [
  catalogCases,
  editCases,
  putPromoCases,
  keyCases,
  orderCases,
  reservationCases,
  lastStepCases,
  pageCases,
  changeCases,
  dueCases,
  problemCases,
  listCases,
  promoCases,
  reclaimCases,
  idempotencyCases,
  reconciliationCases,
  refundCases,
  salesCases,
  callbackCases,
  searchCases,
  webhookCases,
  consoleCases,
  erasureCases,
  activityCases,
  worldCases,
];

/**
 * The required behaviour of every store, as cases for any test runner.
 *
 * @example
 * for (const { name, run } of storeSuite) it(name, () => run(createMemoryStore()));
 */
export const storeSuite: readonly StoreCase[] = topics.flatMap((cases) =>
  Object.entries(cases).map(([name, run]) => ({ name, run })),
);
