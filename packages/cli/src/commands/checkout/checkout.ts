import type { Define } from '../define.ts';
import { defineShow } from './show.ts';

export const defineCheckout: Define = (checkout, io) => {
  defineShow(checkout, io);
};
