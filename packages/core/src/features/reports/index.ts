export * from './sales-report.ts';
export * from './sales-table.ts';
export {
  compareStatement,
  type SettlementDifference,
  type SettlementResult,
  type StatementPayment,
} from './settlement.ts';
