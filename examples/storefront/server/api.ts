import { createTopupProxy, type TopupProxyOptions } from '@topup-kit/sdk/proxy';
import { Hono } from 'hono';
import { getSignedCookie, setSignedCookie } from 'hono/cookie';

type ProxyOptions = Pick<TopupProxyOptions, 'baseUrl' | 'apiKey' | 'rateLimit'>;

/** Where the page finds the service. */
export const basePath = '/api/topup';

/** A browser that ordered more shows the newest invoices. */
const mostOrders = 20;
const cookieName = 'orders';
const cookie = { httpOnly: true, sameSite: 'Strict', path: basePath, maxAge: 30 * 24 * 60 * 60 } as const;

const refused = {
  success: false,
  message: 'Invoice tidak ditemukan.',
  error_code: 'INVOICE_NOT_FOUND',
  errors: {},
};

/**
 * The service for this shop's pages, without its key. An invoice shows the name, phone number and e-mail address of
 * whoever ordered, so it goes to the browser that ordered and to no other: a signed cookie remembers which that was.
 */
export function createApi(options: ProxyOptions, cookieSecret: string) {
  const proxy = createTopupProxy({
    ...options,
    basePath,
    routes: [
      'listGames',
      'getGame',
      'getCheckout',
      'createOrder',
      'validatePromo',
      'getPaymentStatus',
      'getInvoice',
    ],
  });
  const api = new Hono<{ Bindings: { address: string | undefined } }>();

  api.post(`${basePath}/order`, async (context) => {
    const answer = await proxy(context.req.raw, context.env);
    if (answer.status !== 201) return answer;
    const { orderId } = await answer.clone().json();
    const before = (await getSignedCookie(context, cookieSecret, cookieName)) || '';
    const orders = [String(orderId), ...before.split(' ')].slice(0, mostOrders);
    context.res = answer;
    await setSignedCookie(context, cookieName, orders.join(' '), cookieSecret, cookie);
    return context.res;
  });

  api.get(`${basePath}/invoice/:order_id`, async (context) => {
    const orders = (await getSignedCookie(context, cookieSecret, cookieName)) || '';
    return orders.split(' ').includes(context.req.param('order_id'))
      ? proxy(context.req.raw, context.env)
      : context.json(refused, 404);
  });

  api.all(`${basePath}/*`, (context) => proxy(context.req.raw, context.env));
  return api;
}
