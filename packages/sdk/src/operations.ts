import { endpoints, type Operation } from '@topup-kit/core/contract';
import type { Responses } from './generated/responses.ts';
import type { ResponseData, ResponseWithText } from './results.ts';
import type { Call } from './sending/prepare.ts';

/** The names of all operations. */
// Safe: these are the keys of a constant table.
export const operations: readonly Operation[] = /* @__PURE__ */ Object.keys(endpoints) as Operation[];

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The path parameters of an operation, such as `{ slug: string }` for `/games/{slug}`. */
type PathParams<Name extends Operation> = [NamesIn<(typeof endpoints)[Name]['path']>] extends [never]
  ? { params?: never }
  : { params: Record<NamesIn<(typeof endpoints)[Name]['path']>, string> };

/** Sends one call of an operation. Every rejection is a `TopupError`. */
export type Send = <Name extends Operation>(
  call: Call & { operation: Name } & PathParams<Name>,
) => Promise<ResponseWithText<ResponseData<Responses[Name]>>>;
