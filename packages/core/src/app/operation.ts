import type { Dialect, Locale } from '../contract/index.ts';
import type { Caller, Engine, ZonedTime } from '../engine/index.ts';
import type { Hash } from '../platform/index.ts';
import type { PlainResponse, RequestRecord, SentRequest } from './http.ts';
import type { AppSettings } from './settings.ts';
import type { Urls } from './urls.ts';

export interface Tools {
  engine: Engine;
  settings: AppSettings;
  dialect: Dialect;
  urls: Urls;
  localTime: (moment: number) => ZonedTime;
  hash: Hash;
}

/** A request to an operation after the checks of key, scope and rate limit. */
export interface Call {
  request: SentRequest;
  caller: Caller;
  locale: Locale;
  /** The decoded path parameters. */
  parameters: Record<string, string>;
  /** The record of the request, in which the operation stores its order's id. */
  record: RequestRecord;
}

export type OperationHandler = (call: Call) => Promise<PlainResponse>;
