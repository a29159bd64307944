import type { Operation } from '../contract/index.ts';
import type { ZonedTime } from '../engine/index.ts';
import type { RequestGuard } from './auth.ts';
import type { PlainResponse, RequestRecord, SentRequest, Site } from './http.ts';
import type { Call } from './operation.ts';

/** What a room does to calls to operations, after key, rate limit and scope were checked. */
export interface CallControl {
  /** Whether it affects all calls; if not, only those with its header. Data, because each request looks at it. */
  readonly state: { readonly isOn: boolean };
  /** The header of a request that names what happens to this one; left out, none does. */
  readonly header?: string | undefined;
  /** Handles a call; `handle` does it as usual. Throws the DomainError of a response. */
  around(operation: Operation, call: Call, handle: () => Promise<PlainResponse>): Promise<PlainResponse>;
}

/** What the routes of a room are made with. */
export interface RouteTools {
  guard: RequestGuard;
  localTime: (moment: number) => ZonedTime;
  maxBodyBytes: number;
}

/** What a room adds to an app. */
export interface AppRoom {
  calls: CallControl;
  /** Called when a request comes. What it returns is called with the response, if the request is for the interface. */
  begin?(): (request: SentRequest, response: PlainResponse, record: RequestRecord) => void;
  mount?(site: Site, tools: RouteTools): void;
}
