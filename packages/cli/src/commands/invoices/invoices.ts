import type { Define } from '../../define-command.ts';
import { defineShow } from './show.ts';
import { defineStatus } from './status.ts';

export const defineInvoices: Define = (invoices, io) => {
  defineShow(invoices, io);
  defineStatus(invoices, io);
};
