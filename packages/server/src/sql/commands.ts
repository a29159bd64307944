import * as activity from './activity.ts';
import * as catalog from './catalog.ts';
import * as changes from './change-order.ts';
import * as history from './changes.ts';
import * as erasures from './erasures.ts';
import * as keys from './keys.ts';
import * as orders from './order-queries.ts';
import * as placing from './place-order.ts';
import * as reconciliations from './reconciliations.ts';
import * as refunds from './refunds.ts';
import * as search from './search.ts';
import * as state from './state.ts';
import * as units from './units.ts';

// Each command is named after its store method.

/** Commands that change nothing. `features/commands.ts` adds the rooms' commands. */
export const reads = {
  readMode: state.readMode,
  readDefaults: state.readDefaults,
  readDisplay: state.readDisplay,
  readBackupState: state.readBackupState,
  readSupplierBalances: state.readSupplierBalances,
  readSupplierLists: state.readSupplierLists,
  readProviderProblems: state.readProviderProblems,
  readRestoredAt: state.readRestoredAt,
  readRaisedAlerts: state.readRaisedAlerts,
  readWorldOffset: state.readWorldOffset,
  readCatalog: catalog.readCatalog,
  readOperatorPromos: catalog.readOperatorPromos,
  listCatalogEdits: catalog.listCatalogEdits,
  countPromoUses: placing.countPromoUses,
  listActivity: activity.listActivity,
  findKey: keys.findKey,
  listKeys: keys.listKeys,
  findIdempotentResponse: placing.findIdempotentResponse,
  findOrder: orders.findOrder,
  findOrders: orders.findOrders,
  findProgress: orders.findProgress,
  findOrderByReference: orders.findOrderByReference,
  findOrderByPage: orders.findOrderByPage,
  findOrdersOfTarget: orders.findOrdersOfTarget,
  findTakenTotals: orders.findTakenTotals,
  findReservedOrder: orders.findReservedOrder,
  findReservedOrders: orders.findReservedOrders,
  findOverdueOrders: orders.findOverdueOrders,
  findPaymentsByExpiry: orders.findPaymentsByExpiry,
  listOrders: orders.listOrders,
  searchOrders: search.searchOrders,
  countOrders: orders.countOrders,
  findHistory: orders.findHistory,
  findUnits: units.findUnits,
  findDueUnits: units.findDueUnits,
  findAttemptsBySupplierId: units.findAttemptsBySupplierId,
  nextDueAt: units.nextDueAt,
  countOpenWork: units.countOpenWork,
  findProblemOrders: units.findProblemOrders,
  findRefunds: refunds.findRefunds,
  listRefunds: refunds.listRefunds,
  listReconciliations: reconciliations.listReconciliations,
  listErasures: erasures.listErasures,
  lastPosition: history.lastPosition,
  findCustomerSecret: erasures.findCustomerSecret,
};

export const writes = {
  claimMode: state.claimMode,
  saveDisplay: state.saveDisplay,
  noteBackup: state.noteBackup,
  saveBackupAlert: state.saveBackupAlert,
  saveSupplierBalance: state.saveSupplierBalance,
  saveProviderProblems: state.saveProviderProblems,
  moveWorld: state.moveWorld,
  recordKeyUses: keys.recordKeyUses,
  addActivity: activity.addActivity,
  placeOrder: placing.storeOrder,
  reserveOrder: placing.reserveOrder,
  finaliseOrder: placing.finaliseOrder,
  abandonOrder: changes.abandonOrder,
  changeOrder: changes.changeOrder,
  setCustomerSecret: erasures.setCustomerSecret,
  findChanges: history.findChanges,
  indexForSearch: search.indexForSearch,
  closeRefund: refunds.closeRefund,
  addReconciliation: reconciliations.addReconciliation,
  returnReconciliation: reconciliations.returnReconciliation,
};

/** Commands whose changes every process notices by the revision. */
export const announcedWrites = {
  replaceCatalog: catalog.replaceCatalog,
  seedCatalog: catalog.seedCatalog,
  putPromo: catalog.putPromo,
  createKey: keys.createKey,
  revokeKey: keys.revokeKey,
  rotateKey: keys.rotateKey,
};
