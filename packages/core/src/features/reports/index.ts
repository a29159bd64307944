export * from './sales-report.ts';
export {
  compareStatement,
  type SettlementDifference,
  type SettlementResult,
  type StatementPayment,
} from './settlement.ts';
