import { isFromAnotherSite, type Urls } from '@topup-kit/core/app';
import { headers } from '@topup-kit/core/contract';
import { type Engine, Refusal, type Sandbox } from '@topup-kit/core/engine';
import type { Context } from 'hono';
import { pagePath } from './payment-page.ts';
import type { PageAction } from './payment-texts.ts';

const refused = (): Response =>
  Response.json(
    {
      success: false,
      message: 'Only the payment page itself may do this.',
      error_code: 'FORBIDDEN',
      errors: {},
    },
    { status: 403, headers: { [headers.errorCode]: 'FORBIDDEN' } },
  );

/**
 * Answers `POST /pay/{reference}/{action}` of a sandbox with the way back to the page; with nothing for a reference that
 * nobody has.
 */
export async function actOnPage(
  context: Context,
  action: PageAction,
  { engine, sandbox, urls }: { engine: Engine; sandbox: Sandbox; urls: Urls },
): Promise<Response | undefined> {
  if (isFromAnotherSite(context.req.raw)) return refused();
  const order = await engine.orders.findByReference(context.req.param('reference') ?? '');
  if (!order) return undefined;
  try {
    await sandbox.act(order.orderId, action);
  } catch (error) {
    // Pressed twice, or too late: the page tells how the order stands.
    if (!(error instanceof Refusal && error.code === 'STATE_CONFLICT')) throw error;
  }
  return context.redirect(pagePath(order, urls), 303);
}
