import { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError } from '../../errors/cli-error.ts';
import type { Io } from '../../io.ts';
import { chooseBaseUrl } from '../../service/connection.ts';
import {
  type ChosenSandbox,
  localSandbox,
  runningSandbox,
  startSandbox,
} from '../../service/local-sandbox.ts';
import { accessTo, type SandboxAccess } from './access.ts';
import { createMcpServer } from './server.ts';

async function chooseSandbox(context: CommandContext, start: boolean): Promise<ChosenSandbox> {
  if (start) return startSandbox(context);
  const { value, origin } = chooseBaseUrl(context);
  return origin === 'default' ? localSandbox(context) : runningSandbox(value, context);
}

const unreachable = ['NETWORK_ERROR', 'TIMEOUT'];

/** Rejects a service that is not a sandbox. A service that doesn't respond yet may become a sandbox, so the tools report that problem. */
async function rejectLive({ ready }: SandboxAccess, context: CommandContext): Promise<void> {
  await ready().catch((error: unknown) => {
    if (!(error instanceof CliError) || !unreachable.includes(error.details.code)) throw error;
    context.remark(error.message);
  });
}

async function* bytesOf(stdin: Io['stdin']): AsyncGenerator<Buffer> {
  for await (const chunk of stdin) yield Buffer.from(chunk);
}

/** Serves over stdin and stdout until stdin ends or the process should stop. */
async function serveOver({ stdin, stdout, signal }: Io, sandbox: SandboxAccess): Promise<void> {
  const input = Readable.from(bytesOf(stdin));
  const output = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      Promise.resolve(stdout.write(text)).then(() => done(), done);
    },
  });
  const server = createMcpServer(sandbox);
  await new Promise<void>((resolve, reject) => {
    input.once('end', resolve);
    for (const stream of [input, output]) stream.once('error', reject);
    if (signal?.aborted) resolve();
    else signal?.addEventListener('abort', () => resolve(), { once: true });
    server.connect(new StdioServerTransport(input, output)).catch(reject);
  }).finally(() => server.close());
}

export const noun = defineCommand({
  build: (command) => command.option('--start', 'start a sandbox in memory that ends with this command'),
  help: `An assistant starts this command, and talks to it over stdin and stdout in the
Model Context Protocol. Its tools list games, place, pay, deliver and fail orders,
move the clock, simulate faults, show the last requests, explain error codes, and
read the documentation. docs/mcp.md of the repository shows how to set it up.

It uses the configured sandbox, or one at the default address on this machine,
or one in memory as with --start. It rejects a live service.`,
  example: 'mcp --start',
  async run(context, { start }) {
    await using sandbox = await chooseSandbox(context, start === true);
    const access = accessTo(sandbox);
    await rejectLive(access, context);
    context.remark(`Serving the tools of the sandbox at ${sandbox.baseUrl}.`);
    await serveOver(context.io, access);
  },
});
