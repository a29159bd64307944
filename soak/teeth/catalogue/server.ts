import type { Bug } from '../bug.ts';

const app = 'packages/core/src/app';
const source = 'packages/server/src';
const test = 'packages/server/test';
const core = 'packages/core/test';

/** Bugs of the app and of the server around it: HTTP, access, limits, start and stop, logs. */
export const server: readonly Bug[] = [
  {
    name: "a sandbox's control routes work for a foreign Host",
    file: `${source}/edge/direct.ts`,
    find: 'if (forOthers !== null) return forOthers;',
    replace: '',
    caughtBy: { file: `${test}/direct.test.ts`, title: 'can not use a control route without a key' },
  },
  {
    name: "a sandbox's control routes work through a proxy",
    file: `${source}/edge/direct.ts`,
    find: 'if (proxyHeader.test(name)) return throughProxy;',
    replace: '',
    caughtBy: { file: `${test}/direct.test.ts`, title: 'can not use a control route without a key' },
  },
  {
    name: "a sandbox's control routes work for pages of other sites",
    file: `${source}/edge/direct.ts`,
    find: "isFromForeignPage(request, isOwnName) ? 'a page of another origin sent it' : null",
    replace: 'null',
    caughtBy: { file: `${test}/direct.test.ts`, title: 'can not use a control route without a key' },
  },
  {
    name: 'a client may take as long as it likes to send a request',
    file: `${source}/service/start-edge.ts`,
    find: '    headersTimeout: requestTimeoutMs,\n    requestTimeout: requestTimeoutMs,\n',
    replace: '    headersTimeout: 0,\n    requestTimeout: 0,\n',
    caughtBy: {
      file: `${test}/time-outs.test.ts`,
      title: 'a client has ten seconds to send its request',
    },
  },
  {
    name: 'a server that stops closes its store before its connections',
    file: `${source}/service/start-server.ts`,
    find: 'await edge.close();\n    await owned.disposeAsync();',
    replace: 'await owned.disposeAsync();\n    await edge.close();',
    caughtBy: {
      file: `${test}/http.test.ts`,
      title: 'completes the requests in progress, and accepts no more',
    },
  },
  {
    name: 'a server that stops is still ready for requests',
    file: `${source}/observability/readiness.ts`,
    find: "if (isClosing()) return 'shutting_down';",
    replace: '',
    caughtBy: { file: `${test}/observability-routes.test.ts`, title: 'knows that' },
  },
  {
    name: 'what follows a malformed request in its packet is done, and nobody gets its response',
    file: `${source}/edge/guard.ts`,
    find: 'endRequests(request.socket);',
    replace: '',
    caughtBy: {
      file: `${test}/guard.test.ts`,
      title: 'requests behind a malformed request do not count',
    },
  },
  {
    name: 'what follows a chunked body in its packet is done, wherever that body ends for others',
    file: `${source}/edge/guard.ts`,
    find: "endRequests(socket);\n      response.setHeader('Connection', 'close');",
    replace: "response.setHeader('Connection', 'close');",
    caughtBy: {
      file: `${test}/guard.test.ts`,
      title: 'requests behind a request with a chunked body do not count',
    },
  },
  {
    name: 'a client that reads nothing has all its requests handled, and their responses kept',
    file: `${source}/edge/connections.ts`,
    find: 'if (response.socket) handle();\n  else {',
    replace: 'handle();\n  if (response.socket) {',
    caughtBy: {
      file: `${test}/owed-responses.test.ts`,
      title: 'is owed one response at most, as long as it reads nothing',
    },
  },
  {
    name: 'a client that floods connections with requests may come again at once',
    file: `${source}/edge/client-rejection.ts`,
    find: 'return void socket.destroy();',
    replace: 'return;',
    caughtBy: {
      file: `${test}/owed-responses.test.ts`,
      title: 'is turned away for ten seconds, on its new connections',
    },
  },
  {
    name: 'a server that stops cuts connections with a request on its way',
    file: `${source}/edge/close.ts`,
    find: 'socket.bytesRead === (readBefore.get(socket) ?? 0)',
    replace: 'socket.bytesRead >= 0',
    caughtBy: {
      file: `${test}/shut-down.test.ts`,
      title: 'a request whose head is still arriving is responded to',
    },
  },
  {
    name: 'X-Forwarded-For is believed from anyone once a proxy is trusted',
    file: `${source}/edge/client-address.ts`,
    find: 'const isProxy = matcherOf(trustedProxies);',
    replace: 'const isProxy = (address: string): boolean => address !== trustedProxies[-1];',
    caughtBy: { file: `${test}/client-address.test.ts`, title: 'the address of a client' },
  },
  {
    name: 'the limit by address is evaded with X-Forwarded-For',
    file: `${source}/edge/client-address.ts`,
    find: 'return { addressOf: senderOf, isFromProxy: () => false };',
    replace:
      "return {\n      addressOf: (request) => String(request.headers['x-forwarded-for'] ?? senderOf(request)),\n      isFromProxy: () => false,\n    };",
    caughtBy: {
      file: `${test}/client-address.test.ts`,
      title: 'but without that setting, no header evades a limit',
    },
  },
  {
    name: 'wrong keys can be tried without a limit',
    file: `${app}/auth.ts`,
    find: "limitAddress(gate, 'wrong-key', connection);",
    replace: '',
    caughtBy: { file: `${core}/address-limits.test.ts`, title: 'with the response of any limit' },
  },
  {
    name: 'the addresses of one IPv6 network have a limit each',
    file: 'packages/core/src/http/client-name.ts',
    find: '.slice(0, 4)',
    replace: '.slice(0, 8)',
    caughtBy: { file: `${core}/address-limits.test.ts`, title: 'all addresses of an IPv6 network together' },
  },
  {
    name: 'reads use up the limit of orders',
    file: 'packages/core/src/http/rate-limiter.ts',
    find: 'const window = windowOf(',
    replace: 'const window = windowOf(client || ',
    caughtBy: { file: `${core}/rate-limiter.test.ts`, title: 'counts each policy of a client on its own' },
  },
  {
    name: 'a key may do what its scopes do not allow',
    file: `${app}/auth.ts`,
    find: 'if (!caller.scopes.includes(route.scope))',
    replace: 'if (caller.scopes.length === 0)',
    caughtBy: { file: `${core}/access.test.ts`, title: 'allows what its scopes allow' },
  },
  {
    name: 'a body may say how long it is, and be as long as it likes',
    file: `${app}/http.ts`,
    find: "if (Number(request.header('Content-Length') ?? 0) > maxBytes) throw tooLarge(maxBytes);",
    replace: '',
    caughtBy: {
      file: 'packages/core/test/broken-upload.test.ts',
      title: 'may be as long as the limit, and no longer',
    },
  },
  {
    name: 'the body of an order may be as long as it likes',
    file: `${source}/edge/serve.ts`,
    find: 'if (length <= maxBytes) return;',
    replace: 'return;',
    caughtBy: { file: `${test}/body-limit.test.ts`, title: 'a chunked body over the limit at' },
  },
  {
    name: 'an upload that breaks off is an error of the server',
    file: `${app}/http.ts`,
    find: 'request.readBody(maxBytes).catch(cutShort)',
    replace: 'request.readBody(maxBytes)',
    caughtBy: {
      file: `${core}/broken-upload.test.ts`,
      title: 'a body that its client breaks off is rejected',
    },
  },
  {
    name: 'a body that is not JSON is an error of the server',
    file: `${app}/http.ts`,
    find: "  } catch {\n    throw malformed('json');",
    replace: '  } catch (error) {\n    throw error;',
    caughtBy: { file: `${test}/conformance.test.ts`, title: 'a body that is no JSON is a 422' },
  },
  {
    name: 'a request may name two hosts',
    file: `${source}/edge/malformed.ts`,
    find: 'return hosts === 1 &&',
    replace: 'return hosts >= 1 &&',
    caughtBy: {
      file: `${test}/guard.test.ts`,
      title: 'a malformed request is rejected, and its connection closed',
    },
  },
  {
    name: 'a body comes in a coding of which another server reads other bytes',
    file: `${source}/edge/malformed.ts`,
    find: "encoding.toLowerCase() !== 'chunked'",
    replace: "!encoding.toLowerCase().endsWith('chunked')",
    caughtBy: {
      file: `${test}/guard.test.ts`,
      title: 'a malformed request is rejected, and its connection closed',
    },
  },
  {
    name: 'a live server takes the key of TOPUP_API_KEY, which is that of a sandbox',
    file: `${source}/service/service.ts`,
    find: "mode === 'live'\n    ? []\n    : [",
    replace: "mode === 'live' && apiKey === undefined\n    ? []\n    : [",
    caughtBy: {
      file: `${test}/start.test.ts`,
      title: 'starts with a real gateway and a catalogue, and rejects the sandbox key',
    },
  },
  {
    name: 'the metrics are for everybody',
    file: `${source}/observability/routes.ts`,
    find: 'if (!isAllowed) return next();',
    replace: '',
    caughtBy: { file: `${test}/observability-routes.test.ts`, title: 'what it may see' },
  },
  {
    name: 'the log has the secrets of the settings',
    file: `${source}/observability/redact.ts`,
    find: "text.replaceAll(secret, '[secret]')",
    replace: 'text',
    caughtBy: {
      file: `${test}/log-secrets.test.ts`,
      title: 'hides the secrets of the settings wherever they stand',
    },
  },
  {
    name: 'the log has what a provider said, key included',
    file: `${source}/observability/redact.ts`,
    find: "    .replace(named, '$1[secret]')\n",
    replace: '',
    caughtBy: { file: `${test}/log-secrets.test.ts`, title: 'an error in the log' },
  },
  {
    name: 'a callback is handled whatever address it comes from',
    file: `${app}/callbacks.ts`,
    find: 'if (!mayCall(address)) {',
    replace: 'if (!mayCall(address) && address === method) {',
    caughtBy: {
      file: `${test}/callbacks.test.ts`,
      title:
        'rejects callbacks from other addresses with 403, and handles and keeps nothing of them but the address',
    },
  },
  {
    name: 'a body is read as text before its signature is checked',
    file: `${app}/callbacks.ts`,
    find: 'const body = await readBody(env.request, maxBodyBytes);',
    replace:
      'const body = new TextEncoder().encode(new TextDecoder().decode(await readBody(env.request, maxBodyBytes)));',
    caughtBy: { file: `${test}/callbacks.test.ts`, title: 'verifies and keeps the bytes that were sent' },
  },
  {
    name: 'the list of games is the first one for good',
    file: `${app}/routes/list-games.ts`,
    find: 'const rendered = new WeakMap<CatalogView, PlainResponse>();',
    replace:
      'const one: { response?: PlainResponse } = {};\n  const rendered = { get: () => one.response, set: (_view: CatalogView, response: PlainResponse) => Object.assign(one, { response }) };',
    caughtBy: {
      file: `${test}/start.test.ts`,
      title: 'can open its store, and the server sees their changes within a second',
    },
  },
  {
    name: 'revoked and expired keys can be tried without a limit',
    file: `${app}/auth.ts`,
    find: "limitAddress(gate, 'wrong-key', connection);",
    replace: "if (!found) limitAddress(gate, 'wrong-key', connection);",
    caughtBy: { file: `${core}/address-limits.test.ts`, title: 'revoked and expired keys, as unknown ones' },
  },
  {
    name: 'a client that goes on sending keeps its closed connection',
    file: `${source}/edge/connections.ts`,
    find: 'socket.bytesRead === seen || checks === maxChecks',
    replace: 'socket.bytesRead === seen',
    caughtBy: {
      file: `${test}/guard.test.ts`,
      title: 'a client that goes on sending after a malformed request is cut off',
    },
  },
  {
    name: 'each scrape counts the requests before it again',
    file: `${source}/observability/metrics.ts`,
    find: '        seconds.length = 0;\n',
    replace: '',
    caughtBy: {
      file: `${test}/observability-routes.test.ts`,
      title: 'count each request once, however often they are read',
    },
  },
  {
    name: 'the lag of due work is measured in real time, and due in world time',
    file: `${source}/observability/metrics.ts`,
    find: 'realClock() + ahead - dueAt',
    replace: 'realClock() - dueAt',
    caughtBy: {
      file: `${test}/observability-routes.test.ts`,
      title: 'tell how late due work is, in world time',
    },
  },
  {
    name: 'the metrics keep the number of orders in a state that has none any more',
    file: `${source}/observability/metrics.ts`,
    find: '        this.reset();\n',
    replace: '',
    caughtBy: {
      file: `${test}/observability-routes.test.ts`,
      title: 'have no line for a state in which there is no order any more',
    },
  },
  {
    name: 'the log never says that an overload is over',
    file: `${source}/observability/request-log.ts`,
    find: '    shed = 0;\n',
    replace: '',
    caughtBy: {
      file: `${test}/request-log.test.ts`,
      title:
        'an overload has a line when it begins, one for the rejected requests of ten seconds, and one at its end',
    },
  },
  {
    name: 'a provider can fill the log with the text of an error',
    file: `${source}/observability/redact.ts`,
    find: 'clean.length > maxLength',
    replace: 'clean.length < 0',
    caughtBy: { file: `${test}/log-secrets.test.ts`, title: 'has no more than 500 characters of a message' },
  },
  {
    name: 'an alert that comes back is not logged',
    file: `${source}/observability/alerts.ts`,
    find: 'raised: raisedBy(alerts) }];',
    replace: 'raised: new Map([...(seen.at(-1)?.raised ?? []), ...raisedBy(alerts)]) }];',
    caughtBy: { file: `${test}/alerts.test.ts`, title: 'that is low again is an alert again' },
  },
  {
    name: 'what is raised while one server is gone is not logged by another',
    file: `${source}/observability/alerts.ts`,
    find: 'const last = isOurs ? seen.at(-1) : seen[0];',
    replace: 'const last = seen.at(-1);',
    caughtBy: { file: `${test}/alerts.test.ts`, title: 'is written by one of several servers' },
  },
  {
    name: 'a wrong payment is warned of each time the gateway is asked',
    file: `${source}/observability/events.ts`,
    find: "const paymentLevels: Record<string, Level> = { contradiction: 'warn' };",
    replace:
      "const paymentLevels: Record<string, Level> = { contradiction: 'warn', reconciliation: 'warn' };",
    caughtBy: { file: `${test}/one-warning.test.ts`, title: 'a wrong payment is warned of once' },
  },
  {
    name: 'a silent database holds the list of games',
    file: `${source}/postgres/revision.ts`,
    find: 'revision: firstAnswer(reading)',
    replace: 'revision: reading',
    caughtBy: {
      file: `${test}/postgres-revision.test.ts`,
      title: 'is the last one while the database does not respond',
    },
    hangs: true,
  },
  {
    name: 'an order that the supplier contradicted is offered for a retry',
    file: `${source}/sql/units.ts`,
    find: 'units.order_id = orders.order_id AND contradiction IS NOT NULL)',
    replace: 'units.order_id = orders.order_id AND 0)',
    caughtBy: { file: `${test}/sqlite-store.test.ts`, title: 'a contradiction of a unit is stored' },
  },
  {
    name: 'a Host may have a zone, of which no URL can be made',
    file: `${source}/edge/malformed.ts`,
    find: "&& !bracketed.includes('%')",
    replace: '',
    caughtBy: { file: `${test}/guard.test.ts`, title: 'a Host with a zone' },
  },
];
