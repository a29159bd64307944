import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { readBytes } from '@topup-kit/core/http';
import { type ProviderName, providers } from '@topup-kit/providers/registry';
import { type Context, Hono } from 'hono';
import { createCallbackSender } from './callbacks.ts';
import { mountControl } from './control.ts';
import { createFaultPlan, type FaultPlan } from './faults.ts';
import { guardRequests, mayCallBack } from './guard.ts';
import { createJournal, type Journal } from './journal.ts';
import { problemPage } from './page.ts';
import { simulatorOf } from './registry.ts';
import {
  ControlError,
  type NamedSimulator,
  type Operation,
  type SimulatedRequest,
  type SimulatedResponse,
} from './simulator.ts';
import { createWorld, type SimulatorWorld } from './world.ts';

export interface SimulatorOptions {
  /** The address to listen on; 127.0.0.1 by default. */
  host?: string;
  /** 0 chooses a free port. */
  port: number;
  /** Addresses for each provider's callbacks, used unless a request contains an address. */
  callbackUrls?: Partial<Record<ProviderName, string>>;
  /** Returns real time in unix milliseconds, for tests. The simulators' time can be moved ahead of it. */
  now?: () => number;
}

export interface RunningSimulators extends AsyncDisposable {
  /** The address of the page. The control routes are below `/control`. */
  url: string;
  providers: {
    name: ProviderName;
    title: string;
    baseUrl: string;
    credentials: Readonly<Record<string, string>>;
  }[];
  /** Ends requests in progress, then releases the port. */
  close(): Promise<void>;
}

/** The error if the simulators can't listen at an address. The message has the reason and the next step. */
export class SimulatorAddressError extends Error {
  override readonly name = 'SimulatorAddressError';
}

type NodeBindings = { incoming: IncomingMessage };

const maxBodyBytes = 65_536;
const slowMs = 30_000;

/** Maximum time for a client to send a request, in milliseconds. */
const requestTimeoutMs = 10_000;

/** Maximum time for requests in progress when the simulators stop, in milliseconds. */
const closeTimeoutMs = 2_000;

async function readBody(context: Context): Promise<string | undefined> {
  const bytes = await readBytes(context.req.raw.body, maxBodyBytes);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

/** Serves one operation of a provider, records it in the journal, and applies faults. */
async function serve(
  context: Context,
  simulator: NamedSimulator,
  operation: Operation,
  deps: { world: SimulatorWorld; plan: FaultPlan; journal: Journal },
): Promise<Response> {
  const { world, plan, journal } = deps;
  const { req } = context;
  const body = await readBody(context);
  const request: SimulatedRequest = {
    headers: req.raw.headers,
    query: new URL(req.url).searchParams,
    params: req.param(),
    body: body ?? '',
  };
  const name = typeof operation.name === 'string' ? operation.name : operation.name(request);
  const { pathname, search } = new URL(req.url);
  const call = journal.add({
    at: world.now(),
    provider: simulator.name,
    direction: 'in',
    operation: name,
    method: req.method,
    url: pathname + search,
    body: simulator.redact?.(request.body) ?? request.body,
    status: null,
    response: '',
    attempt: 1,
  });
  const shows = (fault: 'error-500' | 'slow' | 'lost-response'): boolean =>
    plan.take(simulator.name, fault, name);

  const response: SimulatedResponse =
    body === undefined
      ? { status: 413, body: { message: `A body may have at most ${maxBodyBytes} bytes.` } }
      : shows('error-500')
        ? { status: 500, body: { message: 'Internal Server Error' } }
        : await operation.handle(request);
  if (shows('slow')) await world.sleep(slowMs);
  response.onSent?.();
  if (shows('lost-response')) {
    const { incoming } = context.env as NodeBindings; // Safe: the host passes it with each request.
    incoming.socket.destroy();
    call.response = 'Lost on purpose.';
    return new Response(null, { status: 500 });
  }
  call.status = response.status;
  call.response = JSON.stringify(response.body);
  return Response.json(response.body, { status: response.status });
}

function createRouter(
  simulators: readonly NamedSimulator[],
  host: string,
  deps: { world: SimulatorWorld; plan: FaultPlan; journal: Journal },
): Hono {
  const router = new Hono();
  guardRequests(router, host);
  for (const simulator of simulators) {
    for (const operation of simulator.operations)
      router.on(operation.method, simulator.basePath + operation.path, (context) =>
        serve(context, simulator, operation, deps),
      );
    const unknown: Operation = {
      name: 'unknown',
      method: 'GET',
      path: '/*',
      handle: () => ({ status: 404, body: { message: `${simulator.title} has no such route here.` } }),
    };
    router.all(`${simulator.basePath}/*`, (context) => serve(context, simulator, unknown, deps));
  }
  mountControl(router, {
    simulators,
    ...deps,
    async readBody(context) {
      const body = await readBody(context);
      if (body === undefined) throw new ControlError(400, `A body may have at most ${maxBodyBytes} bytes.`);
      return body;
    },
  });
  router.notFound((context) => context.json({ error: 'Unknown route. The page / lists the routes.' }, 404));
  router.onError((error, context) => {
    const known = error instanceof ControlError;
    const status = known ? error.status : 500;
    const message = known ? error.message : 'The simulator failed. Please report it.';
    const wantsPage = (context.req.header('Accept') ?? '').includes('text/html');
    return wantsPage ? problemPage(status, message) : context.json({ error: message }, status);
  });
  return router;
}

const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    EADDRINUSE: 'is already taken by another program; stop it, or choose a free port with --port',
    EACCES: 'may not be opened by this user; choose a port above 1023 with --port',
    EADDRNOTAVAIL: 'is not an address of this machine; choose another with --host',
    ENOTFOUND: 'is not an address of this machine; choose another with --host',
  }),
);

async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = reasons.get(code);
    throw reason === undefined ? error : new SimulatorAddressError(`${host}:${port} ${reason}.`);
  }
  const address = server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${actual}`;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
  await closed;
  clearTimeout(timer);
}

/**
 * Simulates the payment gateways and suppliers over HTTP, each below its base path, with control routes and a page.
 *
 * @throws SimulatorAddressError if the port is taken or the address is not on this machine.
 * @example
 * await using simulators = await startSimulators({ port: 0 });
 * await fetch(`${simulators.url}/control/books`);
 */
export async function startSimulators(options: SimulatorOptions): Promise<RunningSimulators> {
  const { host = '127.0.0.1', port, callbackUrls = {}, now = Date.now } = options;
  const world = createWorld(now);
  const plan = createFaultPlan();
  const journal = createJournal();
  const stopping = new AbortController();
  let url = '';

  const simulators = providers.map(({ name, title }) => {
    const callbackUrl = callbackUrls[name];
    const callbacks = createCallbackSender({
      provider: name,
      world,
      faults: plan,
      journal,
      signal: stopping.signal,
      mayCall: (target) => mayCallBack(target, callbackUrl),
    });
    const simulator = simulatorOf[name]({
      world,
      callbacks,
      callbackUrl,
      fault: (fault, operation) => plan.take(name, fault, operation),
      url: () => url,
    });
    return { ...simulator, name, title };
  });
  const router = createRouter(simulators, host, { world, plan, journal });

  const server = createServer({ headersTimeout: requestTimeoutMs, requestTimeout: requestTimeoutMs });
  server.on(
    'request',
    getRequestListener((request, bindings) => router.fetch(request, bindings), {
      overrideGlobalObjects: false,
    }),
  );
  url = await listen(server, host, port);

  const close = async (): Promise<void> => {
    world.close();
    stopping.abort();
    if (server.listening) await closeServer(server);
  };
  return {
    url,
    providers: simulators.map(({ name, title, basePath, credentials }) => ({
      name,
      title,
      credentials,
      baseUrl: url + basePath,
    })),
    close,
    [Symbol.asyncDispose]: close,
  };
}
