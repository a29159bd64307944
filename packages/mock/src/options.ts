import type { DialectChanges } from '@topup-kit/core/contract';
import type { CatalogFile } from '@topup-kit/core/engine';
import type { ScenarioName } from './scenarios/names.ts';

/** What a mock may be told; each is optional. */
export interface MockOptions {
  /**
   * Where the interface seems to be: absolute, or relative to the page in a browser.
   * `http://127.0.0.1:4000/api` when left out, as the sandbox server has it.
   */
  baseUrl?: string;
  /**
   * A whole number that all chance follows from: letters of order ids, payment codes and references, latencies, which
   * calls a flaky service fails. Drawn when left out; `mock.seed` tells it.
   */
  seed?: number;
  /** `strict`, the default: keys as the real thing has them. `off`: any key or none, for pages behind a proxy of yours. */
  auth?: 'strict' | 'off';
  /** What is for sale: what `topup catalog import` takes. The sandbox's catalogue when left out. */
  catalog?: CatalogFile;
  /** `interface-only` offers nothing but what the interface document states. `kit` when left out. */
  profile?: 'kit' | 'interface-only';
  /** What this service reads differently into the interface's silence than the profile does. */
  dialect?: DialectChanges;
  /** A scenario that is on from the start. */
  scenario?: ScenarioName;
  /** How long each answer takes, in milliseconds, or from how long to how long; 0 when left out. */
  latency?: number | readonly [least: number, most: number];
  /**
   * The `payment_url` of orders: a page of your app. Relative to the address of the interface, and
   * `/pay/{reference}` there, when left out.
   */
  paymentUrl?: (reference: string) => string;
}
