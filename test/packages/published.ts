import type { PackageName } from '../../scripts/pack.ts';

interface Published {
  /** The largest tarball, in bytes. */
  bytes: number;
  /** What npm installs along with the package. */
  dependencies: readonly string[];
}

/**
 * What each published package may bring to a project. A change of this table is a decision: a larger tarball or another
 * dependency needs a line in `decisions`. The mock's and the server's code is there twice, for `import` and for `require`.
 */
export const published: Record<PackageName, Published> = {
  sdk: { bytes: 225_000, dependencies: [] },
  mock: { bytes: 1_050_000, dependencies: [] },
  server: {
    bytes: 1_275_000,
    dependencies: [
      '@opentelemetry/api',
      '@opentelemetry/core',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace',
      'pino',
      'pino-pretty',
      'prom-client',
    ],
  },
  cli: { bytes: 1_385_000, dependencies: [] },
};
