import type { Dialect } from '../contract/index.ts';
import type { Caller, Engine, ZonedTime } from '../engine/index.ts';
import type { Hash } from '../platform/index.ts';
import type { Answer } from './http.ts';
import type { AppSettings, Urls } from './settings.ts';

/** What an operation works with. */
export interface Tools {
  engine: Engine;
  settings: AppSettings;
  dialect: Dialect;
  urls: Urls;
  localTime: (moment: number) => ZonedTime;
  hash: Hash;
}

/** An admitted request to one operation. */
export interface Call {
  request: Request;
  caller: Caller;
  /** The path's parameters, decoded. */
  parameters: Record<string, string>;
}

export type OperationHandler = (call: Call) => Promise<Answer>;
