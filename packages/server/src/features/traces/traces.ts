import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace';
import type { RequestRecord } from '@topup-kit/core/app';
import { type Operation, routes } from '@topup-kit/core/contract';
import { withTimeout } from '@topup-kit/core/engine';
import type { Logger } from 'pino';
import { LoggedError } from '../../observability/redact.ts';
import type { Watch, Watcher } from '../../observability/watch.ts';
import { traceSecrets, wantsTraces } from './trace-settings.ts';

/** Default timeout of an export in milliseconds, because a server must stop within 5 s. */
const exportTimeoutMs = 2_000;

const isOperation = (operation: string): operation is Operation => Object.hasOwn(routes, operation);

/** Methods that OpenTelemetry knows; any other method becomes `_OTHER`. */
const knownMethods = /^(GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH)$/;

/** Returns the pattern of a request's path. The path of a payment page is a secret, so spans never contain a path. */
const routeOf = (operation: string, basePath: string): string | undefined =>
  isOperation(operation)
    ? basePath + routes[operation].path
    : operation.startsWith('/')
      ? operation
      : undefined;

const definedOnly = (attributes: Record<string, string | number | null | undefined>): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value]],
    ),
  );

/** Returns the attributes of a completed request: OpenTelemetry's attributes for HTTP servers, and this kit's own. */
function requestAttributes(record: RequestRecord, basePath: string): Attributes {
  const { method, status, operation, requestId, accountId, orderId, errorCode } = record;
  const failure = status === null ? 'aborted' : status >= 500 ? (errorCode ?? String(status)) : null;
  return definedOnly({
    'http.request.method': knownMethods.test(method) ? method : '_OTHER',
    'http.route': operation === null ? null : routeOf(operation, basePath),
    'http.response.status_code': status,
    // A reverse proxy may use TLS, but this server doesn't.
    'url.scheme': 'http',
    'error.type': failure,
    'topup.request.id': requestId,
    'topup.operation': operation,
    'topup.account.id': accountId,
    'topup.order.id': orderId,
    'topup.error.code': errorCode,
  });
}

const spanName = ({ method, operation }: RequestRecord): string =>
  operation !== null && isOperation(operation) ? operation : `${method} ${operation ?? 'unknown'}`;

/** Creates the sampler in `OTEL_TRACES_SAMPLER`. OpenTelemetry's own package reads the variable only together with all exporters. */
function chooseSampler(
  sdk: typeof import('@opentelemetry/sdk-trace'),
  { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: NodeJS.ProcessEnv,
): Sampler {
  const all = new sdk.AlwaysOnSampler();
  const none = new sdk.AlwaysOffSampler();
  const some = new sdk.TraceIdRatioBasedSampler(share ? Number(share) : 1);
  const samplers = new Map<string, Sampler>([
    ['always_on', all],
    ['always_off', none],
    ['traceidratio', some],
    ['parentbased_always_off', new sdk.ParentBasedSampler({ root: none })],
    ['parentbased_traceidratio', new sdk.ParentBasedSampler({ root: some })],
  ]);
  return samplers.get(name ?? '') ?? new sdk.ParentBasedSampler({ root: all });
}

/** Wraps an exporter, and logs its failures: one line when they start, and one line when they end. */
function reporting(exporter: SpanExporter, logger: Pick<Logger, 'warn'>) {
  let isFailing = false;
  const report = (error: Error | undefined, failed: boolean): void => {
    if (failed && !isFailing)
      logger.warn(
        { err: new LoggedError(error, { withStack: false }) },
        'traces could not be sent: see OTEL_EXPORTER_OTLP_ENDPOINT',
      );
    if (!failed && isFailing) logger.warn('traces are sent again');
    isFailing = failed;
  };
  const reported: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        // The code 0 means success.
        report(result.error, result.code !== 0);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
  return { exporter: reported, isFailing: () => isFailing };
}

/** Loads OpenTelemetry only for a server with an endpoint. Sets nothing global, because the host may use OpenTelemetry, too. */
export async function createTraces({
  logger,
  basePath,
}: {
  logger: Pick<Logger, 'warn'>;
  basePath: string;
}): Promise<Watch> {
  const [api, { W3CTraceContextPropagator }, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const { OTEL_EXPORTER_OTLP_TIMEOUT, OTEL_EXPORTER_OTLP_TRACES_TIMEOUT } = process.env;
  const hasTimeout = Boolean(OTEL_EXPORTER_OTLP_TIMEOUT || OTEL_EXPORTER_OTLP_TRACES_TIMEOUT);
  const { exporter, isFailing } = reporting(
    new OTLPTraceExporter(hasTimeout ? {} : { timeoutMillis: exportTimeoutMs }),
    logger,
  );
  const provider = new sdk.TracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': 'topup-kit' }))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: chooseSampler(sdk, process.env),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('@topup-kit/server');
  const propagator = new W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<Context>();
  const spans = new WeakMap<RequestRecord, Span>();
  const active = (): Context => current.getStore() ?? api.ROOT_CONTEXT;

  return {
    inRequest(headers, record, handle) {
      const parent = propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter);
      const span = tracer.startSpan('request', { kind: api.SpanKind.SERVER }, parent);
      spans.set(record, span);
      return current.run(api.trace.setSpan(parent, span), handle);
    },
    endRequest(record) {
      const span = spans.get(record);
      if (!span) return;
      span.updateName(spanName(record));
      span.setAttributes(requestAttributes(record, basePath));
      if (record.status !== null && record.status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end();
    },
    noteCall({ provider: name, call, orderId, outcome, ms }) {
      const endedAt = Date.now();
      const attributes = definedOnly({
        'topup.provider': name,
        'topup.call': call,
        'topup.order.id': orderId,
        'error.type': outcome === 'ok' ? null : outcome,
      });
      const span = tracer.startSpan(
        `${name} ${call}`,
        { kind: api.SpanKind.CLIENT, startTime: endedAt - ms, attributes },
        active(),
      );
      if (outcome !== 'ok') span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end(endedAt);
    },
    async watchWork(kind, item, work) {
      const parent = active();
      const attributes = definedOnly({
        'topup.work.item': item,
        'topup.order.id': /^INV-\d+-[A-Z]+/.exec(item)?.[0],
      });
      const span = tracer.startSpan(kind, { attributes }, parent);
      try {
        return await current.run(api.trace.setSpan(parent, span), work);
      } catch (error) {
        span.setStatus({ code: api.SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    async close(timeoutMs) {
      if (isFailing()) return;
      // The exporter has already logged the failure.
      await withTimeout(provider.shutdown(), timeoutMs, 'slow').catch(() => {});
    },
  };
}

/** Sends spans of requests, provider calls and due work to an OpenTelemetry collector. */
export const traces: Watcher = {
  secrets: traceSecrets,
  start: async (host) => (wantsTraces() ? createTraces(host) : undefined),
};
