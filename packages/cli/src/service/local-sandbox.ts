import { type CommandContext, createContext } from '../context.ts';
import { type Io, setting } from '../io.ts';
import { requireNewestNode } from '../newest-node.ts';
import { chooseBaseUrl, type ServiceConnection, sandboxBaseUrl, sandboxKey } from './connection.ts';
import { sandboxState } from './sandbox-state.ts';

/** Sandbox for a command. Disposing of it stops a sandbox that runs in this process. */
export interface ChosenSandbox extends AsyncDisposable {
  baseUrl: string;
  /** Context with this sandbox and its key. */
  context: CommandContext;
  /** True if the sandbox runs in this process. */
  isOurs: boolean;
}

export const isSandbox = async (
  { baseUrl, apiKey }: Pick<ServiceConnection, 'baseUrl' | 'apiKey'>,
  io: Io,
): Promise<boolean> => (await sandboxState(new URL(baseUrl), apiKey, io)) !== undefined;

export const runningSandbox = (baseUrl: string, context: CommandContext): ChosenSandbox => ({
  baseUrl,
  context,
  isOurs: false,
  async [Symbol.asyncDispose]() {},
});

/**
 * Uses only a sandbox on this machine and its key, regardless of the configuration: a trial order must not reach a real service, and a real
 * key must not reach the sandbox.
 */
function askOnly(context: CommandContext, baseUrl: string): CommandContext {
  const { io, globals } = context;
  const { value: configured } = chooseBaseUrl(context);
  return createContext(
    { ...io, environment: { ...io.environment, TOPUP_API_KEY: sandboxKey } },
    configured === baseUrl ? globals : { ...globals, baseUrl },
  );
}

const readSettings = async ({ io }: CommandContext) => {
  requireNewestNode('A sandbox');
  const { readConfig } = await import('@topup-kit/server/internal');
  return readConfig({
    TOPUP_MODE: 'sandbox',
    TOPUP_STORE: 'memory:',
    PORT: setting(io, 'PORT') ?? new URL(sandboxBaseUrl).port,
  });
};

/**
 * Starts a memory sandbox that ends with this command, at the default address of `topup serve --sandbox`, or on another port if that
 * address is in use.
 */
export async function startSandbox(context: CommandContext): Promise<ChosenSandbox> {
  const { ConfigError, startServer } = await import('@topup-kit/server/internal');
  const config = await readSettings(context);
  const server = await startServer(config).catch((error: unknown) => {
    if (error instanceof ConfigError) return startServer({ ...config, port: 0 });
    throw error;
  });
  return {
    baseUrl: server.baseUrl,
    context: askOnly(context, server.baseUrl),
    isOurs: true,
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Returns the sandbox at the default address of `topup serve --sandbox`; starts a memory sandbox if none runs there. */
export async function localSandbox(context: CommandContext): Promise<ChosenSandbox> {
  const { port } = await readSettings(context);
  const usual = new URL(sandboxBaseUrl);
  usual.port = String(port);
  const { href: baseUrl } = usual;
  if (port !== 0 && (await isSandbox({ baseUrl, apiKey: sandboxKey }, context.io)))
    return runningSandbox(baseUrl, askOnly(context, baseUrl));
  return startSandbox(context);
}
