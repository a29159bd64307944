import type { CheckAccountRequest, CheckAccountResponse } from '../generated/types.ts';
import type { RequestOptions } from '../options.ts';
import { asCall, type TopupCall, type WithRequestId } from '../sending/call.ts';
import type { Send } from '../sending/send.ts';

/** Accounts to top up. */
export interface AccountsResource {
  /**
   * Says whether there is such a player, and the nickname to show under the field (`POST /account/check`, a Topup Kit extension:
   * a service without it rejects with a 404). Never needed for an order, and no reason not to place one unless
   * `data.status` is `not_found`: `unsupported` and `unavailable` say nothing of the account. Rejects with a 404 when the
   * game is unknown, and with a 422 when a field is missing.
   *
   * @example
   * ```ts
   * const { data } = await client.accounts.check({ game: 'mobile-legends', id: '12345678', server: '2012' });
   * if (data.status === 'found') console.log(data.nickname);
   * ```
   */
  check(
    request: CheckAccountRequest,
    options?: RequestOptions,
  ): TopupCall<WithRequestId<CheckAccountResponse>>;
}

export function createAccounts(send: Send): AccountsResource {
  return {
    check: (request, options) =>
      asCall(send({ operation: 'checkAccount', params: {}, body: request, options })),
  };
}
