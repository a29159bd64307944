import { defaultLimits } from '@topup-kit/core/app';
import {
  type ErrorCode,
  exampleError,
  type Operation,
  orderFields,
  promoFields,
  routes,
} from '@topup-kit/core/contract';
import { Refusal } from '@topup-kit/core/engine';
import { AskedForError } from '../scenarios/parts.ts';

/** A refusal with an error of the table, with words such as an occasion for it would give. */
export const exampleRefusal = (operation: Operation, code: ErrorCode): Refusal =>
  new Refusal(code, {
    ...exampleError(code, {
      scope: routes[operation].scope,
      fields: operation === 'createOrder' ? orderFields : promoFields,
      limits: defaultLimits,
    }),
    cause: new AskedForError(`override ${code}`),
  });
