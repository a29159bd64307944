import { defineGroup } from '../../define-command.ts';
import { create, disable, enable } from './edit.ts';
import { list } from './list.ts';
import { validate } from './validate.ts';

export const promos = defineGroup(
  `validate contacts the service, as a customer does. The others work on the store,
as an operator; a running server picks up the change within a second.`,
  [validate, list, create, disable, enable],
);
