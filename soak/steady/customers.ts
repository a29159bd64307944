import { connect } from 'node:net';
import { sandboxKey } from '@topup-kit/core/contract';
import { type RandomBytes, randomBelow } from '@topup-kit/core/platform';
import { fixtureOrder } from '../../packages/server/test/helpers/sandbox.ts';
import { orderIdOf, pay } from '../kill/shopper.ts';

/** Action of a client, which checks the statuses of the responses. */
type Act = (baseUrl: string, shown: string[]) => Promise<void>;

async function expectStatus(expected: number, url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, { ...init, headers: { 'X-API-KEY': sandboxKey, ...init.headers } });
  const text = await response.text();
  if (response.status !== expected)
    throw new Error(`${init.method ?? 'GET'} ${url} got ${response.status}, not ${expected}: ${text}`);
  return text;
}

const post = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body,
});

/** Sends bytes that are not HTTP, and waits until the server closes the connection. */
const sendJunk = (baseUrl: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    socket.on('error', reject).on('close', () => resolve());
    socket.resume().write('GET /api/games HTTP/2.0\r\n\r\n');
  });

const order = JSON.stringify({ ...fixtureOrder, promo_code: undefined });

/** Maximum number of orders that are read again. */
const maxShown = 200;

/** All actions of clients. An action that is listed twice happens twice as often. */
const acts: readonly Act[] = [
  async (baseUrl) => void (await expectStatus(200, `${baseUrl}/games`)),
  async (baseUrl) => void (await expectStatus(200, `${baseUrl}/games/mobile-legends`)),
  async (baseUrl, shown) => {
    shown.push(orderIdOf(await expectStatus(201, `${baseUrl}/order`, post(order))));
    if (shown.length > maxShown) shown.shift();
  },
  async (baseUrl) => pay(baseUrl, orderIdOf(await expectStatus(201, `${baseUrl}/order`, post(order)))),
  async (baseUrl, shown) => {
    const orderId = shown.at(-1);
    if (orderId) await expectStatus(200, `${baseUrl}/invoice/${orderId}/payment-status`);
  },
  async (baseUrl, shown) => {
    const orderId = shown[0];
    if (orderId) await expectStatus(200, `${baseUrl}/invoice/${orderId}`);
  },
  async (baseUrl) =>
    void (await expectStatus(
      422,
      `${baseUrl}/order`,
      post(order.replace('"quantity"', '"promo_code":"NONE","quantity"')),
    )),
  async (baseUrl) => void (await expectStatus(422, `${baseUrl}/order`, post('{"id":'))),
  async (baseUrl) =>
    void (await expectStatus(401, `${baseUrl}/games`, { headers: { 'X-API-KEY': 'wrong' } })),
  async (baseUrl) => void (await expectStatus(404, `${baseUrl}/nothing`)),
  sendJunk,
];

/** Acts until `isOver` returns true, and counts the actions. */
export async function actUntil(isOver: () => boolean, baseUrl: string, random: RandomBytes): Promise<number> {
  const shown: string[] = [];
  let count = 0;
  for (; !isOver(); count += 1) await acts[randomBelow(random, acts.length)]?.(baseUrl, shown);
  return count;
}
