import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { isPinned } from './pin.ts';

/** Result of a round of load. `p99` is in milliseconds; `busy` is the share of a core that the load generator used, 0 to 1. */
export interface Load {
  perSecond: number;
  p99: number;
  busy: number;
}

export interface LoadRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  /** Paths that each connection requests in turn, instead of the path of the URL. */
  paths?: string[];
  expectStatus: number;
}

/** Creates a request with its own id, so that all requests differ, as those of users do. */
type MakeRequest = (id: number) => string;

/** Creates the raw requests, one for each path. */
const rawRequests = ({ url, method, headers, body = '', paths }: LoadRequest): MakeRequest[] => {
  const { host, pathname, search } = new URL(url);
  const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: host, Connection: 'keep-alive', ...headers, ...length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return (paths ?? [pathname + search]).map((path) => {
    const begin = `${method} ${path} HTTP/1.1\r\n${head}X-Request-Id: bench-`;
    const end = `\r\n\r\n${body}`;
    return (id) => begin + id + end;
  });
};

const endOfHead = '\r\n\r\n';
const endOfChunks = Buffer.from('0\r\n\r\n');

/** Finds the end of each response chunk by chunk, without reading its body. */
class ResponseEnd {
  #head = '';
  #status = 0;
  /** Number of remaining bytes; null if the response is sent in chunks. */
  #left: number | null = 0;
  /** Last bytes of a chunked response. */
  #tail = Buffer.alloc(0);

  /** Returns the status of the response that ends with this chunk; null if the response continues. */
  after(chunk: Buffer): number | null {
    if (this.#status === 0) return this.#afterHead(chunk);
    return this.#isComplete(chunk) ? this.#finish() : null;
  }

  #afterHead(chunk: Buffer): number | null {
    const text = this.#head + chunk.toString('latin1', 0, 4_096);
    const end = text.indexOf(endOfHead);
    if (end === -1) {
      this.#head = text;
      return null;
    }
    const bodyBegins = end + endOfHead.length - this.#head.length;
    const head = text.slice(0, end);
    this.#head = '';
    this.#status = Number(head.slice(9, 12));
    const length = this.#status === 304 ? 0 : /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#left = length === undefined ? null : Number(length);
    return this.#isComplete(chunk.subarray(bodyBegins)) ? this.#finish() : null;
  }

  #isComplete(chunk: Buffer): boolean {
    if (this.#left !== null) {
      this.#left -= chunk.length;
      return this.#left === 0;
    }
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-endOfChunks.length)]).subarray(
      -endOfChunks.length,
    );
    return this.#tail.equals(endOfChunks);
  }

  #finish(): number {
    const status = this.#status;
    this.#status = 0;
    this.#tail = Buffer.alloc(0);
    return status;
  }
}

/** Number of bytes that are read at a time. */
const readBytes = 64 * 1_024;

interface Connection {
  socket: Socket;
  /** Calls a function with each chunk, which is valid only during the call. */
  read(listener: (chunk: Buffer) => void): void;
}

/** Counts so far: the number of reads, the responses by status, and the latency of each response in milliseconds. */
interface Count {
  reads: number;
  statuses: Map<number, number>;
  latencies: number[];
}

/**
 * Keeps this process polling for responses instead of sleeping until a response arrives. A server needs several microseconds per response
 * to wake a sleeping process; a server that is fast enough to keep this process busy would not need them, but a slower server would.
 * Returns a function that stops the polling, and returns the CPU time of polls without a response, in microseconds.
 */
function stayAwake(count: Count): () => number {
  let vain = 0;
  let reads = 0;
  let cpu = process.cpuUsage();
  let isStopped = false;
  const look = (): void => {
    const { user, system } = process.cpuUsage(cpu);
    if (count.reads === reads) vain += user + system;
    cpu = { user: cpu.user + user, system: cpu.system + system };
    reads = count.reads;
    if (!isStopped) setImmediate(look);
  };
  setImmediate(look);
  return () => {
    isStopped = true;
    return vain;
  };
}

let lastId = 0;

/** Returns the requests of one connection in turn, starting with a given one, and again from the first one after the last one. */
function inTurn(requests: readonly MakeRequest[], from: number): () => string {
  let next = from;
  return () => {
    const make = requests[next];
    next = (next + 1) % requests.length;
    lastId += 1;
    return make?.(lastId) ?? '';
  };
}

/** Sends requests one after another over a connection until the end. */
function sendUntil(
  { socket, read }: Connection,
  nextRequest: () => string,
  end: number,
  count: Count,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const response = new ResponseEnd();
  let sent = 0;
  const send = (now: number): void => {
    sent = now;
    socket.write(nextRequest());
  };
  read((chunk) => {
    count.reads += 1;
    const status = response.after(chunk);
    if (status === null) return;
    const now = performance.now();
    if (now > end) return resolve();
    count.statuses.set(status, (count.statuses.get(status) ?? 0) + 1);
    count.latencies.push(now - sent);
    send(now);
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the server closed a connection')));
  send(performance.now());
  return promise.finally(() => socket.destroy());
}

async function connectTo(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const buffer = Buffer.alloc(readBytes);
  let receive = (_chunk: Buffer): void => {};
  const onread = {
    // One buffer receives all data, because new buffers would create more garbage than this process could collect without long pauses.
    buffer,
    callback(length: number) {
      receive(buffer.subarray(0, length));
      return true;
    },
  };
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
  await once(socket, 'connect');
  return {
    socket,
    read(listener) {
      receive = listener;
    },
  };
}

/**
 * Sends requests to a URL over several connections for some seconds. It speaks only the necessary part of HTTP over bare sockets: a real
 * client needs more time for a response than a fast server, so that all fast servers would seem equally fast.
 *
 * @throws Error if a response is missing or has another status, because the figures would be meaningless.
 */
export async function load(request: LoadRequest, seconds: number, connections = 50): Promise<Load> {
  const { method, url, expectStatus } = request;
  const requests = rawRequests(request);
  const opened = await Promise.all(Array.from({ length: connections }, () => connectTo(url)));
  const count: Count = { reads: 0, statuses: new Map(), latencies: [] };
  // An order waits for a disk or a database, which may also use the core of this process.
  const sleep = method === 'GET' && isPinned ? stayAwake(count) : () => 0;
  const cpuBefore = process.cpuUsage();
  const end = performance.now() + seconds * 1_000;
  await Promise.all(
    opened.map((connection, index) => {
      // Connections start with different requests, because otherwise they would all request the same few paths at the same time.
      const from = Math.floor((index * requests.length) / connections);
      return sendUntil(connection, inTurn(requests, from), end, count);
    }),
  );
  const { user, system } = process.cpuUsage(cpuBefore);
  const busy = (user + system - sleep()) / (seconds * 1_000_000);
  const { [expectStatus]: expected, ...others } = Object.fromEntries(count.statuses);
  if (expected === undefined || Object.keys(others).length > 0)
    throw new Error(
      `${method} ${url}: responses by status are ${JSON.stringify(Object.fromEntries(count.statuses))}`,
    );
  const sorted = Float64Array.from(count.latencies).sort();
  return {
    perSecond: sorted.length / seconds,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    busy,
  };
}
