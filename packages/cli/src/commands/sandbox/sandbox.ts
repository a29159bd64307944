import type { Define } from '../../define-command.ts';
import { defineActions } from './actions.ts';
import { defineAdvance } from './advance.ts';
import { defineReset } from './reset.ts';
import { defineScenario } from './scenario.ts';
import { defineStatus } from './status.ts';

export const defineSandbox: Define = (sandbox, io) => {
  sandbox.addHelpText(
    'after',
    `
These ask a running server in sandbox mode, at /sandbox beside its base URL. A
live server has no such thing.`,
  );
  defineStatus(sandbox, io);
  defineActions(sandbox, io);
  defineAdvance(sandbox, io);
  defineScenario(sandbox, io);
  defineReset(sandbox, io);
};
