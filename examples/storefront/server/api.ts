import { createTopupProxy, type TopupProxyOptions } from '@topup-kit/sdk/proxy';
import { Hono } from 'hono';
import { getSignedCookie, setSignedCookie } from 'hono/cookie';

type ProxyOptions = Pick<TopupProxyOptions, 'baseUrl' | 'apiKey' | 'rateLimit'>;

/** Path of the service for the pages. */
export const basePath = '/api/topup';

/** Maximum number of orders whose invoices a browser can open, which are its newest ones. */
const maxOrders = 20;
const cookieName = 'orders';
const cookie = { httpOnly: true, sameSite: 'Strict', path: basePath, maxAge: 30 * 24 * 60 * 60 } as const;

const notFound = {
  success: false,
  message: 'Invoice tidak ditemukan.',
  error_code: 'INVOICE_NOT_FOUND',
  errors: {},
};

/**
 * Serves the topup service to the pages, which never see its key. An invoice contains the customer's phone number and e-mail address, so
 * only the browser that placed the order can read it. A signed cookie contains the ids of the browser's orders.
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
      'checkAccount',
      'getPaymentStatus',
      'getInvoice',
    ],
  });
  const api = new Hono<{ Bindings: { address: string | undefined } }>();

  api.post(`${basePath}/order`, async (context) => {
    const response = await proxy(context.req.raw, context.env);
    if (response.status !== 201) return response;
    const { orderId } = await response.clone().json();
    const previous = (await getSignedCookie(context, cookieSecret, cookieName)) || '';
    const orders = [String(orderId), ...previous.split(' ')].slice(0, maxOrders);
    context.res = response;
    await setSignedCookie(context, cookieName, orders.join(' '), cookieSecret, cookie);
    return context.res;
  });

  api.get(`${basePath}/invoice/:order_id`, async (context) => {
    const orders = (await getSignedCookie(context, cookieSecret, cookieName)) || '';
    return orders.split(' ').includes(context.req.param('order_id'))
      ? proxy(context.req.raw, context.env)
      : context.json(notFound, 404);
  });

  api.all(`${basePath}/*`, (context) => proxy(context.req.raw, context.env));
  return api;
}
