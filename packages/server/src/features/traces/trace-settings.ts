import { ConfigError } from '../../config/variable.ts';

/** Variables that enable traces. OpenTelemetry reads all other variables itself. */
const endpointVariables = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

const samplerNames = [
  ...['always_on', 'always_off', 'traceidratio'],
  ...['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
];

/** Variables in which OpenTelemetry would silently ignore unknown values. */
const checked: { names: readonly string[]; takes: string; accepts: (text: string) => boolean }[] = [
  {
    names: endpointVariables,
    takes: 'an http(s) URL, such as http://127.0.0.1:4318',
    accepts: (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
  },
  {
    names: ['OTEL_TRACES_SAMPLER'],
    takes: `one of ${samplerNames.join(', ')}`,
    accepts: (text) => samplerNames.includes(text),
  },
  {
    names: ['OTEL_TRACES_SAMPLER_ARG'],
    takes: 'a number from 0 to 1',
    accepts: (text) => Number(text) >= 0 && Number(text) <= 1,
  },
  {
    names: ['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', 'OTEL_EXPORTER_OTLP_TIMEOUT'],
    takes: 'a number of milliseconds above 0',
    accepts: (text) => Number(text) > 0 && Number.isFinite(Number(text)),
  },
  {
    names: ['OTEL_EXPORTER_OTLP_TRACES_COMPRESSION', 'OTEL_EXPORTER_OTLP_COMPRESSION'],
    takes: 'gzip or none',
    accepts: (text) => ['gzip', 'none'].includes(text),
  },
];

/**
 * Tells whether the environment names an endpoint and doesn't disable OpenTelemetry.
 *
 * @throws ConfigError if a variable has a value that OpenTelemetry doesn't know.
 */
export function wantsTraces(environment: NodeJS.ProcessEnv = process.env): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  if (!endpointVariables.some((name) => environment[name])) return false;
  for (const { names, takes, accepts } of checked)
    for (const name of names) {
      const text = environment[name];
      if (text && !accepts(text)) throw new ConfigError(`${name} takes ${takes}.`, { setting: name });
    }
  return true;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Minimum length of a token; shorter header values are not tokens and may be parts of words. */
const shortestToken = 8;

/** Returns the tokens in the headers of spans, so that the log can hide them. */
export const traceSecrets = (environment: NodeJS.ProcessEnv = process.env): string[] =>
  ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS']
    .flatMap((name) => environment[name]?.split(',') ?? [])
    .map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
    // OpenTelemetry decodes the values, such as `Bearer%20...`.
    .flatMap((value) => [value, decoded(value), ...decoded(value).split(' ')])
    .filter((value) => value.length >= shortestToken);
