import type { Define } from '../define.ts';
import { defineCreate } from './create.ts';
import { defineShow } from './show.ts';

export const defineOrders: Define = (orders, io) => {
  defineCreate(orders, io);
  defineShow(orders, io);
};
