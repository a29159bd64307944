export { reportSales, type SalesDivision, type SalesReport, salesDivisions } from './sales-report.ts';
export {
  compareStatement,
  type SettlementDifference,
  type SettlementResult,
  type StatementPayment,
} from './settlement.ts';
export { verifyReports } from './verify.ts';
