import { Option } from '@commander-js/extra-typings';
import type { ConsoleSession } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineGroup } from '../../define-command.ts';
import { operatorOption } from '../../input/operator.ts';
import { isoTime, readableTime } from '../../output/format.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { printable } from '../../output/text.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { noteActivity, notInStore, type OperatorStore } from '../../store/open.ts';
import { consoleLink } from './link.ts';

const sessionDocument = (session: ConsoleSession) => ({
  session_id: session.sessionId,
  operator: session.operator,
  created_at: isoTime(session.createdAt),
  last_seen_at: isoTime(session.lastSeenAt),
  expires_at: isoTime(session.expiresAt),
});

const columns: ColumnOf<ConsoleSession>[] = [
  [{ title: 'SESSION' }, ({ sessionId }) => sessionId],
  [{ title: 'OPERATOR', long: true }, ({ operator }) => operator],
  [{ title: 'SINCE', spare: true }, ({ createdAt }) => readableTime(createdAt)],
  [{ title: 'LAST SEEN' }, ({ lastSeenAt }) => readableTime(lastSeenAt)],
  [{ title: 'ENDS', spare: true }, ({ expiresAt }) => readableTime(expiresAt)],
];

async function list(context: CommandContext, { store, path }: OperatorStore): Promise<void> {
  const sessions = await store.listConsoleSessions(Date.now());
  await context.print({
    document: { sessions: sessions.map(sessionDocument) },
    ids: sessions.map(({ sessionId }) => sessionId),
    screen: (style) => tableOf(columns, sessions, style),
  });
  if (sessions.length === 0) context.remark(`Nobody is logged in to the console of ${path}.`);
}

async function reportEnded(
  context: CommandContext,
  { store, deps: { operator } }: OperatorStore,
  ended: readonly ConsoleSession[],
): Promise<void> {
  for (const { sessionId: subject } of ended)
    await noteActivity(store, { operator, action: 'console.ended', subject });
  await context.print({
    document: { ended: ended.map(sessionDocument) },
    ids: ended.map(({ sessionId }) => sessionId),
    screen: () =>
      ended.map(({ sessionId, operator }) => `${sessionId} of ${printable(operator)} has ended.\n`).join(''),
  });
}

async function end(context: CommandContext, sessionId: string, operating: OperatorStore): Promise<void> {
  const { store } = operating;
  const session = (await store.listConsoleSessions(Date.now())).find((each) => each.sessionId === sessionId);
  if (!session || 'conflict' in (await store.endConsoleSession(sessionId)))
    throw notInStore(operating, `open session ${sessionId}`, 'SESSION_NOT_FOUND', 'console sessions');
  await reportEnded(context, operating, [session]);
}

async function endAll(context: CommandContext, operating: OperatorStore): Promise<void> {
  const { store, path } = operating;
  const sessions = await store.listConsoleSessions(Date.now());
  await store.endConsoleSessions();
  await reportEnded(context, operating, sessions);
  context.remark(`The unused login links of ${path} no longer work either.`);
}

const consoleSessions = defineStoreCommand({
  name: 'sessions',
  description: 'List who is logged in to the console, or end sessions',
  build: (command) =>
    command
      .addOption(
        new Option('--end <session-id>', 'end this session, such as cs_k3v9x2ma').conflicts('endAll'),
      )
      .option('--end-all', 'end all sessions and unused links')
      .option(...operatorOption),
  example: 'console sessions --end cs_k3v9x2ma',
  async run(operating, context, options) {
    if (options.end !== undefined) await end(context, options.end, operating);
    else await (options.endAll ? endAll : list)(context, operating);
  },
});

export const noun = defineGroup(
  `The console is a server's web pages at /console. On a live server, they need
TOPUP_CONSOLE=read or act. These commands work on the store, with
immediate effect on a running server. Direct requests to a sandbox need no
link.`,
  [consoleLink, consoleSessions],
);
