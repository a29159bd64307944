import { describe, expect, it } from 'vitest';
import { systemCode } from '../src/errors/cli-error.ts';
import { explainFailure } from '../src/service/probe.ts';
import { fromThrown } from '../src/service/to-cli-error.ts';
import { fixtureOrder } from './helpers/order.ts';
import { failureOf } from './helpers/screens.ts';
import { startJsonService, startService } from './helpers/servers.ts';

const order = [...fixtureOrder, '--idempotency-key', 'k'];
const validate = [
  ...['promos', 'validate', 'RAMADAN10', '--game', 'mobile-legends'],
  ...['--product', '901', '--payment-method', '12'],
];

/** What a command shows of an error response with this code. */
async function shown(args: string[], status: number, code: string | null, headers = {}): Promise<string> {
  const body = {
    ...{ success: false, message: 'Tidak.' },
    ...(code !== null && { error_code: code, errors: {} }),
    ...(code === 'IDEMPOTENCY_KEY_USED' && { orderId: 'INV-20260328100000-DVHHEMKC' }),
  };
  await using service = await startJsonService(status, body, {
    ...(code !== null && { 'X-Error-Code': code }),
    ...headers,
  });
  const text = await failureOf([...args, '--base-url', service.baseUrl]);
  return text.replaceAll(service.baseUrl, '<service>').replace(/^Using the sandbox .*\n/, '');
}

describe("an error response is explained in English, with the service's message and the next step", () => {
  it.each([
    [404, 'GAME_NOT_FOUND'],
    [404, 'GAME_CLOSED'],
    [404, 'PRODUCT_NOT_FOUND'],
    [404, 'PRODUCT_CLOSED'],
    [404, 'PRODUCT_OUT_OF_STOCK'],
    [422, 'PRODUCT_GAME_MISMATCH'],
    [404, 'PAYMENT_METHOD_NOT_FOUND'],
    [404, 'PAYMENT_METHOD_CLOSED'],
    [422, 'PAYMENT_LIMIT'],
    [422, 'PROMO_EXPIRED'],
    [422, 'VALIDATION_ERROR'],
    [422, 'IDEMPOTENCY_CONFLICT'],
    [409, 'IDEMPOTENCY_KEY_USED'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [404, 'ROUTE_NOT_FOUND'],
    [429, 'RATE_LIMITED'],
    [422, 'NEW_CODE'],
  ])('explains the response to orders create, %i %s', async (status, code) => {
    expect(await shown(order, status, code)).toMatchSnapshot();
  });

  it.each([
    ['promos validate', validate, 422, 'PROMO_EXPIRED'],
    ['promos validate', validate, 404, 'ROUTE_NOT_FOUND'],
    ['orders mine', ['orders', 'mine'], 422, 'VALIDATION_ERROR'],
    ['orders mine', ['orders', 'mine'], 405, 'METHOD_NOT_ALLOWED'],
    ['invoices show', ['invoices', 'show', 'INV-1'], 404, 'INVOICE_NOT_FOUND'],
    ['invoices show', ['invoices', 'show', 'INV-1'], 404, null],
    ['games list', ['games', 'list'], 404, null],
    ['games list', ['games', 'list'], 500, null],
    ['games list', ['games', 'list'], 307, null],
    ['games list', ['games', 'list'], 409, null],
  ])('explains the response to %s, %j: %i %s', async (_case, args, status, code) => {
    expect(await shown(args, status, code)).toMatchSnapshot();
  });

  it('shows the status if the service sends no message', async () => {
    await using service = await startService((_request, response) => response.writeHead(418).end());
    expect((await failureOf(['games', 'list', '--base-url', service.baseUrl])).split('\n').slice(1)).toEqual([
      ...['Error: The service responded with status 418.', 'Code: HTTP_ERROR', 'exit 6, HTTP_ERROR'],
    ]);
  });

  it('shows the request id', async () => {
    expect(await shown(['games', 'list'], 409, null, { 'X-Request-Id': 'req_7' })).toContain(
      'Code: HTTP_ERROR, request id: req_7\n',
    );
  });
});

describe('the system error of a request', () => {
  const url = new URL('https://shop.example:8443/api');
  const failing = (code: string): Error =>
    new TypeError('failed', { cause: Object.assign(new Error(), { code }) });

  it.each([
    ['ENOTFOUND', "The name shop.example can't be resolved (ENOTFOUND).", 'Check its spelling'],
    ['EAI_AGAIN', "The name shop.example can't be resolved (EAI_AGAIN).", 'Check its spelling'],
    ['ECONNREFUSED', 'Nothing listens at shop.example:8443 (ECONNREFUSED).', 'Start the service'],
    [
      'CERT_HAS_EXPIRED',
      "The encryption of shop.example:8443 can't be trusted, or is missing (CERT_",
      'Check http',
    ],
    [
      'EPROTO',
      "The encryption of shop.example:8443 can't be trusted, or is missing (EPROTO).",
      'Check http or',
    ],
    [
      'ERR_TLS_X',
      "The encryption of shop.example:8443 can't be trusted, or is missing (ERR_",
      'Check http or',
    ],
    [
      'ERR_SSL_X',
      "The encryption of shop.example:8443 can't be trusted, or is missing (ERR_",
      'Check http or',
    ],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', "The encryption of shop.example:8443 can't", 'Check http or https'],
    ['ECONNRESET', 'The connection to shop.example:8443 failed (ECONNRESET).', 'Check the host and port'],
    ['', 'The connection to shop.example:8443 failed (no reason was given).', 'Check the host and port'],
  ])('explains the system error %s', (code, found, fix) => {
    const { found: said, fix: advice } = explainFailure(failing(code), url);
    expect({ said: said.slice(0, found.length), advice: advice.slice(0, fix.length) }).toEqual({
      ...{ said: found, advice: fix },
    });
  });

  it('shows the duration of a request that took too long', () => {
    expect(explainFailure(new DOMException('', 'TimeoutError'), url)).toEqual({
      found: 'shop.example:8443 did not respond within 10 seconds.',
      fix: 'Try again; the service may be busy, or a firewall may block the connection.',
    });
  });
});

describe('the code of a system error', () => {
  it.each([
    ['is on it', Object.assign(new Error(), { code: 'EPIPE' }), 'EPIPE'],
    ['is on a cause', new Error('', { cause: Object.assign(new Error(), { code: 'ERR_X_1' }) }), 'ERR_X_1'],
    ['is not the name of a thing', Object.assign(new Error(), { code: 'not_a_code' }), undefined],
    ['is not part of a text', Object.assign(new Error(), { code: 'An EPIPE now' }), undefined],
    ['is a text', Object.assign(new Error(), { code: 7 }), undefined],
    ['is of errors alone', { code: 'EPIPE' }, undefined],
    ['may be missing', new Error('EPIPE'), undefined],
  ])('finds the system error code in %s', (_case, error, code) => {
    expect(systemCode(error)).toBe(code);
  });
});

describe('an error of the server or the system', () => {
  /** An error as the server's packages throw it, which are not loaded for this. */
  const serverError = (name: string, facts: object = {}): Error =>
    Object.assign(new Error('It says what is wrong.'), { name }, facts);
  const told = (error: unknown) => {
    const { message, details } = fromThrown(error);
    return `${message} | ${details.hint ?? 'no hint'} | ${details.exitCode} ${details.code}`;
  };
  const place = 'TOPUP_STORE (or --store)';

  it.each([
    ['ConfigError', { setting: 'PORT' }, 'no hint', '2 CONFIG'],
    ['ConfigError', { setting: undefined }, 'no hint', '1 CONFIG'],
    ['ConfigError', {}, 'no hint', '1 CONFIG'],
    [
      'StoreFileError',
      { problem: 'is_a_folder' },
      `Name a file with ${place}, such as file:./data/topup.db.`,
      '2 STORE_FILE',
    ],
    [
      'StoreFileError',
      { problem: 'not_a_file' },
      `Name a file with ${place}, such as file:./data/topup.db.`,
      '2 STORE_FILE',
    ],
    [
      'StoreFileError',
      { problem: 'needs_upgrade' },
      'Stop its server first. The command first copies the file.\nA server of this version does the same when it starts.',
      '6 NEEDS_UPGRADE',
    ],
    [
      'StoreFileError',
      { problem: 'not_writable' },
      `Run this as a user with write access to the file, its folder and the files next to it (-wal, -shm), or choose another place with ${place}. \`ls -ld\` shows who has access.`,
      '1 STORE_FILE',
    ],
    [
      'StoreFileError',
      { problem: 'disk_full' },
      `Free some space, or choose another place with ${place}.`,
      '1 STORE_FILE',
    ],
    [
      'StoreFileError',
      { problem: 'newer_version' },
      'Update topup first: it must be at least as new as the version that wrote the store.',
      '1 STORE_FILE',
    ],
    [
      'StoreFileError',
      { problem: 'served_already' },
      `Stop that server first, or give this one another file with ${place}.`,
      '1 STORE_FILE',
    ],
    [
      'StoreFileError',
      { problem: 'damaged' },
      'To find out more, run `topup db status --check`. To restore a backup, run `topup restore FILE`. Both need --store.',
      '1 STORE_FILE',
    ],
    ['StoreFileError', { problem: 'another' }, 'no hint', '1 STORE_FILE'],
    ['StoreFileError', {}, 'no hint', '1 STORE_FILE'],
    [
      'PostgresError',
      { problem: 'unreachable' },
      `Check that it runs, and that ${place} names it.`,
      '5 STORE',
    ],
    ['PostgresError', { problem: 'not_a_store' }, 'no hint', '3 STORE'],
    [
      'PostgresError',
      { problem: 'needs_upgrade' },
      'Make a backup with pg_dump first. Servers of the previous version can keep running.\nA server of this version does the same when it starts.',
      '6 NEEDS_UPGRADE',
    ],
    [
      'PostgresError',
      { problem: 'newer_version' },
      'Update topup first: it must be at least as new as the version that wrote the store.',
      '1 STORE',
    ],
    [
      'PostgresError',
      { problem: 'refused' },
      `Check the address in ${place}: user, password, database. The database should belong to the user.`,
      '1 STORE',
    ],
    ['PostgresError', { problem: 'damaged' }, 'no hint', '1 STORE'],
  ])('explains the server or system error %s %j', (name, facts, hint, code) => {
    expect(told(serverError(name, facts))).toBe(`It says what is wrong. | ${hint} | ${code}`);
  });

  it('reports a deleted working directory', () => {
    expect(told(Object.assign(new Error('ENOENT'), { syscall: 'uv_cwd' }))).toBe(
      'The current folder no longer exists. | Change to another folder and run the command again. | 3 NO_FOLDER',
    );
  });

  it.each([
    [Object.assign(new Error('no such file'), { syscall: 'open' }), 'no such file'],
    [new TypeError('a fault'), 'a fault'],
    ['a text', 'a text'],
    [{ syscall: 'uv_cwd' }, '[object Object]'],
  ])('shows an unexpected error unchanged: %s', (error, reason) => {
    expect(told(error)).toBe(
      `Unexpected error: ${reason} | Please report it. TOPUP_DEBUG=1 shows where it happened. | 1 UNEXPECTED`,
    );
  });
});
