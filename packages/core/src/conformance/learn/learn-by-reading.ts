import { headers } from '../../contract/index.ts';
import type { Answer, Probe } from '../probe.ts';
import { nothing } from '../refusal.ts';
import { emptyFieldsOf } from './empty-fields.ts';
import { errorShapeOf } from './error-shape.ts';
import type { Lessons } from './lessons.ts';

/** What an answer says, whatever path it was asked for. */
const saying = ({ request, status, text, headers: came }: Answer): string => {
  const path = request.slice(request.indexOf('/') + 1);
  return `${status} ${came.get(headers.errorCode)} ${text.replaceAll('\\/', '/').replaceAll(path, '')}`;
};

/** Whether there is a route, by what it answers to something that isn't there. */
function isRoute(answer: Answer, noRoute: Answer): boolean | undefined {
  if (answer.status === 200) return true;
  return answer.status === 404 ? saying(answer) !== saying(noRoute) : undefined;
}

/** Whether there is a route, by what it answers to something that is there. */
const isFound = ({ status }: Answer): boolean | undefined => ({ 200: true, 404: false })[status];

/** Learns what GET shows, and a key that is left out. */
export async function learnByReading(probe: Probe, lessons: Lessons): Promise<void> {
  const { get, sample } = probe;
  const slug = encodeURIComponent(sample.order.game);
  const list = await get('/games');
  const noRoute = await get('/no-such-route-at-all');
  const game = await get(`/games/${slug}`);
  const checkout = await get(`/order/${slug}`);
  const invoice = await get(`/invoice/${nothing.orderId}`);
  const status = await get(`/invoice/${nothing.orderId}/payment-status`);
  const noGame = await get(`/games/${nothing.game}`);

  const routes = {
    getGame: isFound(game),
    getCheckout: isFound(checkout),
    getInvoice: isRoute(invoice, noRoute),
    getPaymentStatus: isRoute(status, noRoute),
    validatePromo: await hasPostRoute(probe, '/promo/validate'),
  };
  lessons.learnIn('routes', routes);
  const missing = [routes.getGame && noGame, routes.getInvoice && invoice, routes.getPaymentStatus && status];
  const notFound = missing.find((answer) => typeof answer === 'object');
  lessons.learnIn('errorBodies', {
    http: noRoute.status === 404 ? errorShapeOf(noRoute) : undefined,
    notFound: notFound && errorShapeOf(notFound),
  });

  const refused = await get('/games', { [headers.apiKey]: null });
  lessons.learnIn('headers', {
    errorCode: [refused, noRoute].some((answer) => answer.headers.has(headers.errorCode)),
    requestId: list.headers.has(headers.requestId),
    rateLimit: rateLimitOf(list),
  });
  lessons.learn('acceptRequired', (await get('/games', { Accept: '*/*' })).status !== list.status);
  lessons.learn('emptyFields', emptyFieldsOf([game.body, checkout.body]));
}

/** Without any limit in force no such header is to be expected, unless the limit is told by another name. */
function rateLimitOf({ headers: came }: Answer): boolean | undefined {
  if (came.has(headers.rateLimit)) return true;
  return came.has('X-RateLimit-Limit') ? false : undefined;
}

/** Whether there is a POST route, by what GET is answered there, if `POST /order` shows how. */
async function hasPostRoute({ get }: Probe, path: string): Promise<boolean | undefined> {
  if ((await get('/order')).status !== 405) return undefined;
  return new Map([
    [404, false],
    [405, true],
  ]).get((await get(path)).status);
}
