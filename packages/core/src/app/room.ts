import type { Operation } from '../contract/index.ts';
import type { ZonedTime } from '../engine/index.ts';
import type { RequestGuard } from './auth.ts';
import type { PlainResponse, RequestRecord, SentRequest, Site } from './http.ts';
import type { Call } from './operation.ts';

/** Controls that a room adds to calls of operations, after the checks of key, rate limit and scope. */
export interface CallControl {
  /** True if it affects all calls, false if it affects only calls with one of its headers. A property, because each request reads it. */
  readonly state: { readonly isOn: boolean };
  /** Request headers that control a single call. */
  readonly headers: readonly string[];
  /** Handles a call; `handle` runs the operation. Throws a DomainError to respond with it. */
  around(operation: Operation, call: Call, handle: () => Promise<PlainResponse>): Promise<PlainResponse>;
}

/** Tools for the routes of a room. */
export interface RouteTools {
  guard: RequestGuard;
  localTime: (moment: number) => ZonedTime;
  maxBodyBytes: number;
}

/** Everything that a room adds to an app. */
export interface AppRoom {
  calls: CallControl;
  /** Called at the start of a request. If the request is for the interface, the app passes the response to the returned function. */
  begin?(): (request: SentRequest, response: PlainResponse, record: RequestRecord) => void;
  mount?(site: Site, tools: RouteTools): void;
}
