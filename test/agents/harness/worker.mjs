import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listen } from './listen.mjs';

const events = new Map();
const env = {
  TOPUP_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  EVENTS: {
    get: async (key) => events.get(key) ?? null,
    put: async (key, value) => void events.set(key, String(value)),
  },
  MAIL: { send: async (orderId) => console.log(`delivered ${orderId}`) },
};
const context = { waitUntil() {}, passThroughOnException() {} };

let isolate = 0;
listen(async (request) => {
  isolate += 1;
  const { default: worker } = await import(`${pathToFileURL(resolve('worker.mjs')).href}?isolate=${isolate}`);
  return worker.fetch(request, env, context);
});
