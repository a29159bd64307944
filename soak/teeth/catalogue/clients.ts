import type { Bug } from '../bug.ts';

const sdk = 'packages/sdk/src';
const sdkTest = 'packages/sdk/test';
const cli = 'packages/cli/src';
const cliTest = 'packages/cli/test';
const mock = 'packages/mock/src';
const mockTest = 'packages/mock/test';

/** Bugs of the SDK, the command line and the mock. */
export const clients: readonly Bug[] = [
  {
    name: 'the SDK sends an order again to a service that ignores keys',
    file: `${sdk}/sending/idempotency.ts`,
    find: 'maySendAgain: () => honoured() || !mayExist,',
    replace: 'maySendAgain: () => true,',
    caughtBy: {
      file: `${sdkTest}/order-never-doubled.test.ts`,
      title: 'one attempt, ',
    },
  },
  {
    name: 'the SDK believes that keys are honoured when an error does not say so',
    file: `${sdk}/sending/idempotency.ts`,
    find: 'support.honoured = echoed;',
    replace: 'support.honoured = true;',
    caughtBy: {
      file: `${sdkTest}/idempotency-detection.test.ts`,
      title: 'is no longer assumed after a response without the key',
    },
  },
  {
    name: 'the SDK calls an order not created that may have been',
    file: `${sdk}/sending/idempotency.ts`,
    find: 'return failure.sent !== false;',
    replace: 'return failure.sent === undefined;',
    caughtBy: { file: `${sdkTest}/unknown-outcome.test.ts`, title: 'the error has the cause' },
  },
  {
    name: 'the SDK sends an order without the key that it shows',
    file: `${sdk}/request/prepare.ts`,
    find: 'if (idempotencyKey !== undefined) headers.set(headerNames.idempotencyKey, idempotencyKey);',
    replace: '',
    caughtBy: {
      file: `${sdkTest}/idempotency-key.test.ts`,
      title: 'is 128 fresh random bits for each order',
    },
  },
  {
    name: 'the SDK waits for as long as Retry-After says',
    file: `${sdk}/sending/send.ts`,
    find: 'const inTime = delay <= maxDelay && performance.now() + delay < deadline;',
    replace: 'const inTime = delay >= 0;',
    caughtBy: { file: `${sdkTest}/ky-traps.test.ts`, title: 'ends the call' },
  },
  {
    name: 'the SDK does not wait for as long as Retry-After says',
    file: `${sdk}/sending/send.ts`,
    find: 'requestedBy(failure) ?? backoff(count)',
    replace: 'Math.min(requestedBy(failure) ?? 8_000, backoff(count))',
    caughtBy: { file: `${sdkTest}/rate-limit-hints.test.ts`, title: 'is used for orders too' },
  },
  {
    name: "the SDK's attempts have no time-out",
    file: `${sdk}/sending/ky-http.ts`,
    find: 'retry: 0,',
    replace: 'retry: 0,\n      timeout: false,',
    caughtBy: { file: `${sdkTest}/connection-errors.test.ts`, title: 'ends a call whose body stalls' },
  },
  {
    name: "the light client's attempts have no time-out",
    file: `${sdk}/sending/plain-http.ts`,
    find: 'stop.abort(new TimedOut())',
    replace: 'signal',
    caughtBy: { file: `${sdkTest}/connection-errors.test.ts`, title: 'ends a call whose body stalls' },
  },
  {
    name: 'the SDK sends its key to where a redirect leads',
    file: `${sdk}/sending/ky-http.ts`,
    find: "redirect: 'manual'",
    replace: "redirect: 'follow'",
    caughtBy: { file: `${sdkTest}/http-error.test.ts`, title: 'the key is not sent to its target' },
  },
  {
    name: 'an error of the SDK shows the key that the service quoted',
    file: `${sdk}/sending/read-response.ts`,
    find: "value.replaceAll(secret, '[apiKey]')",
    replace: 'value',
    caughtBy: { file: `${sdkTest}/secrets.test.ts`, title: 'not even in the body' },
  },
  {
    name: 'a hook of the SDK sees the key',
    file: `${sdk}/sending/send.ts`,
    find: 'shown.delete(names.apiKey);',
    replace: '',
    caughtBy: { file: `${sdkTest}/hooks.test.ts`, title: 'never sees the API key' },
  },
  {
    name: 'the SDK reads a response without an end',
    file: `${sdk}/sending/read-text.ts`,
    find: 'await readBytes(body, maxResponseBytes)',
    replace: 'await readBytes(body, Number.POSITIVE_INFINITY)',
    caughtBy: {
      file: `${sdkTest}/response-size.test.ts`,
      title: 'stops to read a response that is too large',
    },
  },
  {
    name: 'waiting for an order goes on when its time is over',
    file: `${sdk}/waiting/wait-for.ts`,
    find: 'Math.max(0, start + timeout - performance.now())',
    replace: 'Math.max(0, start + 2 * timeout - performance.now())',
    caughtBy: {
      file: `${sdkTest}/wait-for.test.ts`,
      title: 'the wait ends on the millisecond, after one last query',
    },
  },
  {
    name: 'waiting for an order ends at the first failure',
    file: `${sdk}/waiting/wait-for.ts`,
    find: "if (!failure.retryable || failure.name === 'TopupAbortError') throw failure;",
    replace: 'throw failure;',
    caughtBy: {
      file: `${sdkTest}/wait-for.test.ts`,
      title: 'does not end the wait when all retries of a query fail',
    },
  },
  {
    name: 'the command line sends an order before it is in the journal',
    file: `${cli}/pending-orders/journal.ts`,
    find: 'usable(() => writeDurably(path, ',
    replace: '((later: () => void) => setTimeout(later, 1_000))(() => writeDurably(path, ',
    caughtBy: {
      file: `${cliTest}/orders-once.test.ts`,
      title: 'with all that sending it again takes, for its user alone, and without the API key',
    },
  },
  {
    name: 'others can read the journal of orders',
    file: `${cli}/pending-orders/durable-file.ts`,
    find: "openSync(path, 'wx', 0o600)",
    replace: "openSync(path, 'wx', 0o644)",
    caughtBy: {
      file: `${cliTest}/orders-once.test.ts`,
      title: 'with all that sending it again takes, for its user alone, and without the API key',
    },
  },
  {
    name: 'an order of unknown outcome is deleted from the journal',
    file: `${cli}/commands/orders/place.ts`,
    find: 'if (error.details.exitCode === exitCodes.unknownOutcome) throw outcomeUnknown(error);\n    entry.delete();',
    replace:
      'entry.delete();\n    if (error.details.exitCode === exitCodes.unknownOutcome) throw outcomeUnknown(error);',
    caughtBy: {
      file: `${cliTest}/orders-once.test.ts`,
      title: 'the order that was made is the one that is shown',
    },
  },
  {
    name: 'an unfinished order is sent again with a new key',
    file: `${cli}/commands/orders/place.ts`,
    find: '.ask((client, options) => client.orders.create(request, { ...options, idempotencyKey }), request)',
    replace: '.ask((client, options) => client.orders.create(request, { ...options }), request)',
    caughtBy: {
      file: `${cliTest}/orders-once.test.ts`,
      title: 'the order that was made is the one that is shown',
    },
  },
  {
    name: 'an unfinished order is sent again to a service that ignores keys',
    file: `${cli}/commands/orders/place.ts`,
    find: 'if (!areHonoured)',
    replace: 'if (!areHonoured && request === undefined)',
    caughtBy: { file: `${cliTest}/orders-once.test.ts`, title: 'ignores keys: the order is not sent again' },
  },
  {
    name: 'two processes finish one unfinished order',
    file: `${cli}/pending-orders/journal.ts`,
    find: 'return taken ? entryAt(path, order) : undefined;',
    replace: 'return taken || !taken ? entryAt(path, order) : undefined;',
    caughtBy: { file: `${cliTest}/orders-once.test.ts`, title: 'can be taken over by one process alone' },
  },
  {
    name: 'a key that could not be printed stays valid',
    file: `${cli}/commands/keys.ts`,
    find: '    await store.revokeKey(stored.keyId, Date.now());\n    throw',
    replace: '    throw',
    caughtBy: { file: `${cliTest}/keys.test.ts`, title: 'is revoked at once' },
  },
  {
    name: 'the days of a promo are those of another time zone',
    file: `${cli}/input/moments.ts`,
    find: 'isoTime(localMoment(timezone, local))',
    replace: "isoTime(localMoment(timezone === '' ? timezone : 'UTC', local))",
    caughtBy: {
      file: `${cliTest}/promos.test.ts`,
      title: "reads days and times without an offset in the store's zone",
    },
  },
  {
    name: 'a service can steer the terminal',
    file: `${cli}/output/text.ts`,
    find: 'text.replace(/[\\p{Cc}\\p{Bidi_Control}]/gu, escaped)',
    replace: 'text',
    caughtBy: { file: `${cliTest}/errors.test.ts`, title: 'can not steer the terminal' },
  },
  {
    name: 'the mock answers what no service would',
    file: `${mock}/override.ts`,
    find: 'else checkResponse(operation, response);',
    replace: '',
    caughtBy: { file: `${mockTest}/override.test.ts`, title: 'names an unknown field' },
  },
  {
    name: 'the mock needs no key, unlike the server',
    file: `${mock}/world/service.ts`,
    find: "auth === 'off' ? acceptAnyKey",
    replace: "auth !== 'strict' || seed !== undefined ? acceptAnyKey",
    caughtBy: { file: `${mockTest}/options.test.ts`, title: 'asks for a key unless auth is off' },
  },
  {
    name: 'a replaced response of the mock needs no key',
    file: `${mock}/exchange.ts`,
    find: 'if (checked.status !== 404) return checked;',
    replace: '',
    caughtBy: { file: `${mockTest}/override.test.ts`, title: 'checks the key first' },
  },
  {
    name: 'the mock counts an order again when its key is sent again',
    file: `${mock}/world/service.ts`,
    find: 'if (response.replayed) count(-1);\n          else parts',
    replace: 'parts',
    caughtBy: {
      file: `${mockTest}/determinism.test.ts`,
      title: 'counts an order once when it is sent five times at once with one idempotency key',
    },
  },
  {
    name: 'later calls change a snapshot of the mock',
    file: 'packages/core/src/store/memory/state.ts',
    find: '  orders: new Map(state.orders),\n',
    replace: '',
    caughtBy: { file: `${mockTest}/snapshot.test.ts`, title: 'does not change a snapshot with later calls' },
  },
  {
    name: 'the mock accepts a payment that its scenario declines',
    file: `${mock}/world/world.ts`,
    find: "action === 'pay' && declined(orderId) ? 'fail' : action",
    replace: 'action',
    caughtBy: {
      file: `${mockTest}/scenarios.test.ts`,
      title: 'payment-declined: paying an earlier order fails',
    },
  },
  {
    name: 'money is recorded as returned without a question',
    file: `${cli}/commands/orders/reconcile.ts`,
    find: 'await closeRecord(context, options, {',
    replace: 'await closeRecord(context, { ...options, yes: true }, {',
    caughtBy: {
      file: `${cliTest}/operators.test.ts`,
      title: '--return is not done without a word that it is meant',
    },
  },
  {
    name: 'an order that got its payment during the question counts as given up',
    file: `${cli}/commands/orders/abandon.ts`,
    find: "        if ('conflict' in (await operating.store.abandonOrder(orderId)))\n          await findAbandonable(orderId, operating);",
    replace: '        await operating.store.abandonOrder(orderId);',
    caughtBy: {
      file: `${cliTest}/operators.test.ts`,
      title: 'rejects an order that gets its payment before the confirmation',
    },
  },
  {
    name: 'a payment counts as returned although another operator closed it',
    file: `${cli}/commands/orders/reconcile.ts`,
    find: "        if ('conflict' in (await recordReturn(deps, reconciliationId, note)))\n          await findOpen(reconciliationId, operating);\n",
    replace: '        await recordReturn(deps, reconciliationId, note);\n',
    caughtBy: {
      file: `${cliTest}/operators.test.ts`,
      title: '--return of one that another operator closes before the confirmation: exit 6',
    },
  },
  {
    name: 'a replay counts as requested although its callback is gone',
    file: `${cli}/commands/callbacks/callbacks.ts`,
    find: "        if ('conflict' in (await store.requestReplay(callbackId))) await findCallback(callbackId, operating);",
    replace: '        await store.requestReplay(callbackId);',
    caughtBy: {
      file: `${cliTest}/callbacks.test.ts`,
      title: 'of one that made place for newer ones before the confirmation: exit 3',
    },
  },
  {
    name: 'a restore says that there is no store where there is a damaged one',
    file: `${cli}/commands/database/restore.ts`,
    find: "if (error.problem === 'missing') return",
    replace: "if (error.problem !== 'newer_version') return",
    caughtBy: {
      file: `${cliTest}/backup.test.ts`,
      title: 'without --yes, says that the store in its place is unreadable, not that there is none',
    },
  },
  {
    name: 'an error of the SDK shows the key that is in the target of a redirect',
    file: `${sdk}/sending/read-response.ts`,
    find: "redactText(headers.get('Location')?.replace(/[?#].*/s, ''), apiKey)",
    replace: "headers.get('Location')?.replace(/[?#].*/s, '')",
    caughtBy: { file: `${sdkTest}/secrets.test.ts`, title: 'a redirect to a path with the key' },
  },
];
