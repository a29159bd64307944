import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createRecord } from '@topup-kit/core/app';
import { sandboxKey } from '@topup-kit/core/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hurryWaits } from '../../../test/hurry.ts';
import { callbackGateway, callbackSupplier } from '../../core/test/helpers/providers.ts';
// Loaded before the first test, which would pay for it.
import '@opentelemetry/exporter-trace-otlp-http';
import '@opentelemetry/sdk-trace';
import { wantsTraces } from '../src/features/traces/trace-settings.ts';
import { createTraces } from '../src/features/traces/traces.ts';
import { startCollector } from './helpers/collector.ts';
import { startLogged } from './helpers/log.ts';
import { fixtureOrder, startSandbox } from './helpers/sandbox.ts';

// The exporter waits a second before it tries again.
hurryWaits();

afterEach(() => {
  vi.unstubAllEnvs();
});

const server = 2;
const client = 3;
const error = 2;

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

const send = (url: string, headers: Record<string, string> = {}, body?: object) =>
  fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });

/** Starts a server that sends its spans to `url`. */
function startTraced(url: string, ...parts: Parameters<typeof startLogged>) {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url);
  return startLogged(...parts);
}

describe('the spans of a server', () => {
  it("starts spans with a request, below the client's span, and includes the gateway's calls", async () => {
    await using collector = await startCollector();
    vi.stubEnv('OTEL_SERVICE_NAME', 'shop');
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=one');
    const { server: running } = await startTraced(
      collector.url,
      {},
      { gateway: callbackGateway().gateway, supplier: callbackSupplier().supplier },
    );
    const headers = { traceparent: `00-${traceId}-${parentId}-01`, 'X-Request-Id': 'mine' };
    const { orderId } = await (await send(`${running.baseUrl}/order`, headers, fixtureOrder)).json();
    await send(`${running.baseUrl}/games`, headers);
    await running.close();

    const [received] = collector.received;
    expect([received?.path, received?.headers['x-tenant']]).toEqual(['/v1/traces', 'one']);
    expect(collector.resources()[0]).toMatchObject({ 'service.name': 'shop' });
    const spans = collector.spans();
    const order = spans.find(({ name }) => name === 'createOrder');
    expect(order).toMatchObject({ traceId, parentSpanId: parentId, kind: server, status: { code: 0 } });
    expect(order?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/order',
      'http.response.status_code': 201,
      'url.scheme': 'http',
      'topup.operation': 'createOrder',
      'topup.request.id': 'mine',
      'topup.account.id': 'sandbox',
      'topup.order.id': orderId,
    });
    const payment = spans.find(({ name }) => name === 'paygate createPayment');
    expect(payment).toMatchObject({
      traceId,
      parentSpanId: order?.spanId,
      kind: client,
      status: { code: 0 },
    });
    expect(payment?.attributes).toEqual({
      'topup.provider': 'paygate',
      'topup.call': 'createPayment',
      'topup.order.id': orderId,
    });
    expect(spans.find(({ name }) => name === 'listGames')).toMatchObject({
      traceId,
      parentSpanId: parentId,
      attributes: { 'http.route': '/api/games', 'http.response.status_code': 200 },
    });
  });

  it('creates spans for the purchases of due work, which belong to no request', async () => {
    await using collector = await startCollector();
    const { gateway } = callbackGateway();
    const log = await startTraced(collector.url, {}, { gateway, supplier: callbackSupplier().supplier });
    const { baseUrl } = log.server;
    const { orderId, data } = await (await send(`${baseUrl}/order`, {}, fixtureOrder)).json();
    const paid = { status: 'paid', amount: data.total_price, at: Date.now() } as const;
    await log.server.handlePaymentEvent({ reference: data.payment_reference, ...paid });
    await expect.poll(() => log.lines('a provider was called').map(({ call }) => call)).toContain('submit');
    await log.server.close();

    const spans = collector.spans();
    const [delivery] = spans.filter(({ name }) => name === 'deliver');
    expect(delivery?.attributes).toEqual({
      'topup.work.item': expect.stringContaining(`${orderId}-1-`),
      'topup.order.id': orderId,
    });
    expect(delivery?.parentSpanId ?? '').toBe('');
    const submit = spans.find(
      ({ name, parentSpanId }) => name === 'depot submit' && parentSpanId === delivery?.spanId,
    );
    expect(submit).toMatchObject({ traceId: delivery?.traceId, kind: client });
    expect(submit?.attributes).toMatchObject({ 'topup.order.id': orderId });
  });

  it('names the order of a payment check in the span', async () => {
    await using collector = await startCollector();
    const { gateway } = callbackGateway();
    const log = await startTraced(collector.url, {}, { gateway, supplier: callbackSupplier().supplier });
    const { orderId } = await (await send(`${log.server.baseUrl}/order`, {}, fixtureOrder)).json();
    await send(`${log.server.publicUrl}/sandbox/advance`, {}, { by: '10m' });
    const calls = () => log.lines('a provider was called').map(({ call }) => call);
    await expect.poll(calls).toContain('checkPayment');
    await log.server.close();

    const check = collector.spans().find(({ name }) => name === 'check payment');
    expect(check?.attributes).toEqual({ 'topup.work.item': orderId, 'topup.order.id': orderId });
  });

  it('names an error in the span by its code, but shows no secret', async () => {
    const canary = 'canary-4f1a';
    await using collector = await startCollector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `authorization=${canary}`);
    const { gateway } = callbackGateway({
      createPayment: async () => {
        throw new Error(`rejected with api_key=${canary}`);
      },
    });
    const log = await startTraced(
      collector.url,
      { TOPUP_API_KEY: `${canary}-of-the-sandbox` },
      {
        gateway,
        supplier: callbackSupplier().supplier,
      },
    );
    const { baseUrl, publicUrl } = log.server;
    const order = { ...fixtureOrder, nickname: canary, email: `${canary}@shop.example`, id: canary };
    const headers = { 'User-Agent': canary, Cookie: canary, 'Idempotency-Key': canary };
    const failed = await send(`${baseUrl}/order`, headers, order);
    await send(`${publicUrl}/pay/${canary}?token=${canary}`, headers);
    await send(`${baseUrl}/games?token=${canary}`, { 'X-API-KEY': `${canary}-of-the-sandbox` });
    await send(`${baseUrl}/games`, { 'X-API-KEY': canary });
    await send(`${publicUrl}/${canary}`);
    await log.server.close();

    const texts = collector.received.map(({ text }) => text).join('');
    expect(texts).not.toContain(canary);
    expect(texts).not.toContain(sandboxKey);
    expect(texts).not.toContain('081234567890');
    const spans = collector.spans();
    expect(spans.find(({ name }) => name === 'createOrder')).toMatchObject({
      status: { code: error },
      attributes: {
        'http.response.status_code': failed.status,
        'error.type': 'PAYMENT_FAILED',
        'topup.error.code': 'PAYMENT_FAILED',
      },
    });
    expect(spans.find(({ name }) => name === 'paygate createPayment')).toMatchObject({
      status: { code: error },
      attributes: { 'error.type': 'error' },
    });
    const names = spans.filter(({ kind }) => kind === server).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['GET /pay/:reference', 'GET unknown', 'createOrder', 'listGames']),
    );
    // Who asked for something that isn't there made no error of the server.
    expect(spans.find(({ name }) => name === 'GET unknown')?.status.code).toBe(0);
  });

  it.each([
    ['always_off', undefined, '01', 0],
    ['parentbased_always_off', undefined, '01', 1],
    ['traceidratio', '0', '01', 0],
    ['always_on', undefined, '00', 1],
    [undefined, undefined, '00', 0],
    [undefined, undefined, '01', 1],
  ])('samples as OTEL_TRACES_SAMPLER says: %s', async (sampler, share, flag, count) => {
    await using collector = await startCollector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', `${collector.url}/spans`);
    vi.stubEnv('OTEL_TRACES_SAMPLER', sampler);
    vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', share);
    const traces = await createTraces({ logger: { warn: () => expect.unreachable() }, basePath: '' });
    const record = createRecord('GET');
    traces.inRequest({ traceparent: `00-${traceId}-${parentId}-${flag}` }, record, () => {});
    traces.endRequest(Object.assign(record, { status: 200, ms: 1 }));
    await traces.close(4_000);
    expect(collector.spans()).toHaveLength(count);
    expect(collector.received.map(({ path }) => path)).toEqual(Array(count).fill('/spans'));
  });
});

describe('a token for the collector', () => {
  it.each([
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=one,authorization=Bearer%20canary-of-a-collector'],
    ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'x-token = canary-of-a-collector'],
  ])("keeps a collector's token out of the log: %s", async (name, headers) => {
    vi.stubEnv(name, headers);
    const createPayment = () => Promise.reject(new Error('one sent canary-of-a-collector'));
    const log = await startTraced(
      'http://127.0.0.1:9',
      {},
      { gateway: callbackGateway({ createPayment }).gateway, supplier: callbackSupplier().supplier },
    );
    await send(`${log.server.baseUrl}/order`, {}, fixtureOrder);
    await log.server.close();
    expect(log.texts.join('')).toContain('one sent [secret]');
    expect(log.texts.join('')).not.toContain('canary-of-a-collector');
  });
});

describe('an endpoint that does not respond', () => {
  it("doesn't delay requests while the endpoint doesn't respond, logs the problem once, and stops without delay", async () => {
    // Nothing listens at this port.
    const log = await startTraced('http://127.0.0.1:9');
    const response = await send(`${log.server.baseUrl}/order`, {}, fixtureOrder);
    expect(response.status).toBe(201);
    const began = performance.now();
    await log.server.close();
    expect(performance.now() - began).toBeLessThan(4_900);
    const failures = log.lines('traces could not be sent: see OTEL_EXPORTER_OTLP_ENDPOINT');
    expect(failures).toMatchObject([{ err: { code: 'ECONNREFUSED' } }]);
    // The places in Node's own code tell an operator nothing.
    expect(failures[0]?.err).not.toHaveProperty('stack');
  });

  it('logs when the endpoint stops and starts responding, and sends nothing at the end meanwhile', async () => {
    await using collector = await startCollector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
    const warnings: unknown[] = [];
    const logger = { warn: (...line: unknown[]) => void warnings.push(line.at(-1)) };
    const traces = await createTraces({ logger, basePath: '' });
    const sendOne = (): void => {
      const record = createRecord('GET');
      traces.inRequest({}, record, () => {});
      traces.endRequest(Object.assign(record, { status: 200, ms: 1 }));
    };
    /** As many spans as are sent at once. */
    const sendBatch = async (status: number): Promise<string[]> => {
      collector.control.status = status;
      const before = collector.received.length;
      for (let count = 0; count < 512; count += 1) sendOne();
      await expect.poll(() => collector.received.length).toBe(before + 1);
      // Until the exporter has read the response.
      await setTimeout(100);
      return warnings.splice(0).map(String);
    };
    const failed = 'traces could not be sent: see OTEL_EXPORTER_OTLP_ENDPOINT';
    expect(await sendBatch(400)).toEqual([failed]);
    expect(await sendBatch(400)).toEqual([]);
    expect(await sendBatch(200)).toEqual(['traces are sent again']);
    expect(await sendBatch(400)).toEqual([failed]);
    sendOne();
    await traces.close(1_000);
    expect(collector.received).toHaveLength(4);
  });

  it.each(['127.0.0.1:4318', 'nonsense', 'grpc://127.0.0.1:4317'])(
    'rejects an invalid endpoint URL: %s',
    async (url) => {
      vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url);
      await expect(startSandbox()).rejects.toThrow('OTEL_EXPORTER_OTLP_ENDPOINT takes an http(s) URL');
    },
  );
});

describe('the variables of OpenTelemetry', () => {
  it.each(['true', 'TRUE'])('turns tracing off: OTEL_SDK_DISABLED=%s', (disabled) => {
    expect(wantsTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).toBe(true);
    expect(wantsTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'no URL', OTEL_SDK_DISABLED: disabled })).toBe(false);
  });

  it.each([
    ['OTEL_TRACES_SAMPLER', 'sometimes', 'one of always_on, always_off, traceidratio'],
    ['OTEL_TRACES_SAMPLER_ARG', '50%', 'a number from 0 to 1'],
    ['OTEL_TRACES_SAMPLER_ARG', '50', 'a number from 0 to 1'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '2s', 'a number of milliseconds'],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'brotli', 'gzip or none'],
  ])('rejects an invalid variable at the start: %s=%s', (name, text, takes) => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    expect(() => wantsTraces({ ...endpoint, [name]: text })).toThrow(`${name} takes ${takes}`);
    expect(wantsTraces({ [name]: text })).toBe(false);
    expect(wantsTraces({ ...endpoint, [name]: '' })).toBe(true);
  });

  it.each([
    ['OTEL_TRACES_SAMPLER', 'parentbased_always_on'],
    ['OTEL_TRACES_SAMPLER_ARG', '0.25'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '500'],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'gzip'],
  ])('accepts a valid variable: %s=%s', (name, text) => {
    expect(wantsTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', [name]: text })).toBe(true);
  });
});

it('loads OpenTelemetry only with an endpoint', async () => {
  // Its small API is loaded in any case, by prom-client.
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ load(url, context, next) { loaded.add(url); return next(url, context); } });
    const { readConfig, startServer } = await import('@topup-kit/server/internal');
    const config = { TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0', TOPUP_LOG_LEVEL: 'silent' };
    for (const endpoint of ['', 'http://127.0.0.1:9']) {
      process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint;
      const server = await startServer(readConfig(config));
      if (endpoint === '')
        await (await fetch(server.baseUrl + '/games', { headers: { 'X-API-KEY': server.sandboxKey } })).text();
      await server.close();
      const names = ['sdk-trace', 'core', 'resources', 'exporter-trace-otlp-http', 'api'];
      console.log(...names.map((name) => [...loaded].some((url) => url.includes('/@opentelemetry/' + name + '/'))));
    }
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@topup-kit/source', '--input-type=module', '--eval', script],
    { cwd: fileURLToPath(new URL('../../cli', import.meta.url)), timeout: 20_000 },
  );
  expect(stdout.trim().split('\n')).toEqual(['false false false false true', 'true true true true true']);
}, 20_000);
