import { defineGroup } from '../../define-command.ts';
import { consoleLink } from './link.ts';
import { consoleSessions } from './sessions.ts';

export const consoleCommands = defineGroup(
  `The console is the pages at /console of a server, which needs TOPUP_CONSOLE=read
or act for them. These commands work on the store; a running server follows at
once. Direct requests to a sandbox need no link.`,
  [consoleLink, consoleSessions],
);
