import { defineGroup } from '../../define-command.ts';
import { create, disable, enable } from './edit.ts';
import { list } from './list.ts';
import { validate } from './validate.ts';

export const promos = defineGroup(
  `validate asks the service, as a customer does. The others work on the store, as
its operator; a running server notices within a second.`,
  [validate, list, create, disable, enable],
);
