import type { Define } from '../../define-command.ts';
import { defineShow } from './show.ts';

export const defineCheckout: Define = (checkout, io) => {
  defineShow(checkout, io);
};
