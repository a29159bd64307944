import type { RequestOptions, TopupClient } from '@topup-kit/sdk';
import type { Command } from 'commander';
import { programName, shellWord } from './command-line.ts';
import { chooseConnection } from './connection.ts';
import type { Io } from './io.ts';
import { printable } from './output/printable.ts';

export interface Service {
  /** Asks the service; what goes wrong is thrown as a problem. */
  ask<Answer>(question: (client: TopupClient, options: RequestOptions) => Promise<Answer>): Promise<Answer>;
  /** A command line that asks the same service. */
  commandLine(args: string): string;
}

/** Connects a command to the service that its options and the environment name. */
export async function connect(io: Io, command: Command): Promise<Service> {
  const { createTopupClient, isTopupError } = await import('@topup-kit/sdk');
  const connection = await chooseConnection(io, command);
  const { baseUrl, apiKey, keyFrom, urlFrom } = connection;
  const program = programName(io);
  if (keyFrom === 'sandbox')
    io.stderr.write(`Asking the sandbox at ${printable(baseUrl)} with its well-known key.\n`);
  return {
    async ask(question) {
      try {
        // Whoever typed the command sees the failure and is the one to try again.
        return await question(createTopupClient({ baseUrl, apiKey, retries: 0 }), { signal: io.signal });
      } catch (error) {
        if (!isTopupError(error)) throw error;
        const { apiProblem } = await import('./errors/api-problem.ts');
        throw apiProblem(error, { connection, program });
      }
    },
    commandLine: (args) =>
      `${program} ${args}${urlFrom === '--base-url' ? ` --base-url ${shellWord(baseUrl)}` : ''}`,
  };
}
