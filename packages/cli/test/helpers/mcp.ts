import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { accessTo } from '../../src/commands/mcp/access.ts';
import { createMcpServer } from '../../src/commands/mcp/server.ts';
import { createContext } from '../../src/context.ts';
import { home } from './run.ts';

/** What a tool returned: its result, or the error that it reported. */
export interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results of every tool
  result?: any;
  error?: { code: string; message: string; hint: string | null };
}

export interface Assistant extends AsyncDisposable {
  client: Client;
  /** Calls a tool. */
  call(name: string, input?: Record<string, unknown>): Promise<Called>;
}

/** An assistant, played by the SDK's own client. */
export async function connectAssistant(transport: Transport): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    async call(name, input = {}) {
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: input });
      // Safe: every tool returns one text.
      const [{ text }] = content as [{ text: string }];
      if (isError)
        return text.startsWith('{') ? JSON.parse(text) : { error: { code: 'INPUT', message: text } };
      // For clients that read only text.
      if (text !== JSON.stringify(structuredContent, null, 2)) throw new Error(`${name} says two things`);
      return { result: structuredContent };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The tools of a sandbox within this process. */
export async function openTools(
  environment: Record<string, string>,
  { isOurs = false } = {},
): Promise<Assistant> {
  const silent = { write: () => {} };
  const io = {
    stdin: (async function* () {})(),
    stdout: silent,
    stderr: silent,
    environment: { HOME: home, ...environment },
  };
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair();
  await createMcpServer(accessTo({ context: createContext(io, { input: false }), isOurs })).connect(ofServer);
  return connectAssistant(ofClient);
}
