// Without validation of answers, of which nobody would be warned here.
import {
  createTopupClient,
  type Hooks,
  isTopupError,
  type RequestOptions,
  type TopupClient,
} from '@topup-kit/sdk/light';
import type { CommandContext } from './context.ts';
import type { Asked } from './errors/hints.ts';
import { programName } from './io.ts';
import { type Tell, withProgress } from './output/progress.ts';
import { printable } from './output/text.ts';
import { type Connection, chooseConnection, sameService } from './service/connection.ts';
import { createTroubleWatch, type Trouble } from './trouble.ts';

export interface Service {
  connection: Connection;
  /** Asks the service; what goes wrong is thrown as a problem. A question that takes long may tell how it goes. */
  ask<Answer>(
    question: (client: TopupClient, options: RequestOptions, tell: Tell) => Promise<Answer>,
    about?: Pick<Asked, 'game'>,
  ): Promise<Answer>;
  /** What keeps the service from answering, and since when; undefined while it answers. */
  trouble(): Trouble | undefined;
  /** A command line that asks the same service. */
  commandLine(args: string): string;
}

/** The service of a connection, for one command. */
export async function serviceAt(
  context: CommandContext,
  connection: Connection,
  hooks?: Hooks,
): Promise<Service> {
  const { baseUrl, apiKey } = connection;
  const watch = createTroubleWatch(hooks);
  const commandLine = (args: string): string => sameService(context, args);
  return {
    connection,
    trouble: watch.trouble,
    commandLine,
    async ask(question, about) {
      try {
        // Whoever typed the command sees the failure and is the one to try again.
        const client = createTopupClient({ baseUrl, apiKey, retries: 0, hooks: watch.hooks });
        return await withProgress(context, `Asking ${baseUrl}`, (tell) =>
          question(client, { signal: context.io.signal }, tell),
        );
      } catch (error) {
        if (!isTopupError(error)) throw error;
        const { apiProblem } = await import('./errors/from-sdk.ts');
        throw apiProblem(error, { ...about, connection, program: programName(context.io), commandLine });
      }
    },
  };
}

/** Connects a command to the service that its options, the environment and the profile name. */
export async function connect(context: CommandContext, hooks?: Hooks): Promise<Service> {
  const connection = await chooseConnection(context);
  if (connection.keyFrom === 'default')
    context.remark(`Asking the sandbox at ${printable(connection.baseUrl)} with its well-known key.`);
  return serviceAt(context, connection, hooks);
}
