import * as state from './state.ts';

// A command has the name of its method of the store.

/** Commands that change nothing. */
export const reads = {
  readMode: state.readMode,
  readDisplay: state.readDisplay,
  readSupplierBalance: state.readSupplierBalance,
  readSupplierLists: state.readSupplierLists,
  readProviderProblems: state.readProviderProblems,
  readWorldOffset: state.readWorldOffset,
};

export const writes = {
  claimMode: state.claimMode,
  saveDisplay: state.saveDisplay,
  saveSupplierBalance: state.saveSupplierBalance,
  saveProviderProblems: state.saveProviderProblems,
  moveWorld: state.moveWorld,
};

/** Commands of which every process hears by the revision. */
export const announcedWrites = {
  saveSupplierList: state.saveSupplierList,
};
