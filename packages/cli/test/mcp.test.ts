import { readFileSync } from 'node:fs';
import { errors, orderFields, sandboxKey } from '@topup-kit/core/contract';
import { createKeyText } from '@topup-kit/core/engine';
import { sandboxActions } from '@topup-kit/core/features/sandbox';
import { secureRandom } from '@topup-kit/core/platform';
import { errorCodes } from '@topup-kit/sdk';
import type { RunningServer } from '@topup-kit/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { type Assistant, openTools } from './helpers/mcp.ts';
import { run } from './helpers/run.ts';
import { closedBaseUrl, startJsonService, startLive, startSandbox, startService } from './helpers/servers.ts';

const order = {
  ...{ id: '12345678', server: '2012', game: 'mobile-legends', product_id: 901, payment_method_id: 12 },
  ...{ whatsapp: '081234567890', promo_code: 'RAMADAN10', quantity: 2 },
};

let server: RunningServer;
let tools: Assistant;
beforeAll(async () => {
  server = await startSandbox();
  tools = await openTools({ TOPUP_BASE_URL: server.baseUrl });
});
afterAll(async () => {
  await tools[Symbol.asyncDispose]();
  await server.close();
});
beforeEach(() => tools.call('reset_sandbox'));

const place = async (): Promise<string> => (await tools.call('place_order', order)).result.orderId;

/** A server that the tools reach by its base URL, with the key of the environment. */
const toolsOf = (baseUrl: string, apiKey?: string) =>
  openTools({ TOPUP_BASE_URL: baseUrl, ...(apiKey !== undefined && { TOPUP_API_KEY: apiKey }) });

describe('the tools', () => {
  it('describes the tools with schemas and effects', async () => {
    const { tools: listed } = await tools.client.listTools();
    const kinds = Map.groupBy(listed, ({ annotations }) =>
      annotations?.readOnlyHint ? 'reads' : annotations?.destructiveHint ? 'deletes' : 'changes',
    );
    const named = (kind: 'reads' | 'deletes' | 'changes') => kinds.get(kind)?.map(({ name }) => name);
    expect(named('reads')).toEqual([
      ...['list_games', 'show_game', 'show_order', 'sandbox_status', 'show_faults'],
      ...['show_catalog', 'show_webhooks'],
      ...['list_requests', 'show_request'],
      ...['explain_error', 'list_docs', 'read_docs'],
    ]);
    expect(named('changes')).toEqual([
      ...['place_order', 'act_on_order', 'move_clock', 'choose_scenario', 'add_fault', 'remove_fault'],
      ...['create_order', 'trigger', 'play', 'snapshot', 'restore', 'seed', 'replace_catalog', 'add_webhook'],
      ...['remove_webhooks', 'fault_webhook', 'release_webhooks', 'resend_webhook', 'settle_webhooks'],
    ]);
    expect(named('deletes')).toEqual(['reset_sandbox']);
    for (const { name, title, description, outputSchema, annotations } of listed) {
      expect([name, title, description]).not.toContain(undefined);
      expect(Object.keys(outputSchema?.properties ?? {}), name).not.toEqual([]);
      expect(annotations?.openWorldHint).toBe(false);
    }
    const placing = listed.find(({ name }) => name === 'place_order')?.inputSchema;
    const fields = orderFields.map(({ name }) => name);
    expect(Object.keys(placing?.properties ?? {})).toEqual([...fields, 'idempotency_key']);
    expect(placing?.required).toEqual(['id', 'game', 'product_id', 'payment_method_id', 'whatsapp']);
  });

  it('names only existing tools in the guide and in the instructions', async () => {
    const { tools: listed } = await tools.client.listTools();
    const guide = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8');
    const documented = [...guide.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(documented).toEqual(listed.map(({ name }) => name));
    const instructions = tools.client.getInstructions() ?? '';
    const names = instructions.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(documented).toContain(name);
  });
});

describe('what an assistant can do at any service', () => {
  it('list_games lists open and closed games', async () => {
    const { result } = await tools.call('list_games');
    expect(result.games).toContainEqual({
      ...{ slug: 'mobile-legends', title: 'Mobile Legends: Bang Bang', category: 'MOBA', open: true },
    });
  });

  it('show_game shows the fields of an order', async () => {
    const { result } = await tools.call('show_game', { slug: 'mobile-legends' });
    expect(result.game.products).toContainEqual(expect.objectContaining({ id: 901, title: '86 Diamond' }));
    expect(result.game.fields.map(({ name }: { name: string }) => name)).toContain('server');
    expect(result.paymentMethods).toContainEqual(expect.objectContaining({ id: 12 }));
    expect(await tools.call('show_game', { slug: 'mobile-legend' })).toMatchObject({
      error: { code: 'GAME_NOT_FOUND', hint: expect.stringContaining('Did you mean mobile-legends?') },
    });
  });

  it('place_order returns the response, and show_order returns the state', async () => {
    const { result } = await tools.call('place_order', order);
    expect(result.data).toMatchObject({ payment_status: 'UNPAID', total_price: 40_000 });
    expect((await tools.call('show_order', { order_id: result.orderId })).result.order).toMatchObject({
      ...{ order_id: result.orderId, payment_status: 'UNPAID', total_price: 40_000 },
    });
  });

  it('place_order rejects a mistyped field, and places nothing', async () => {
    const requests = async () => (await tools.call('list_requests')).result.requests;
    const before = await requests();
    const given = { name: 'place_order', arguments: { ...order, quantty: 5 } };
    expect(await tools.client.callTool(given)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('quantty') }],
    });
    expect(await requests()).toEqual(before);
  });

  it.each([
    ['PROMO_NOT_FOUND', { promo_code: 'NOPE' }],
    ['VALIDATION_ERROR', { email: 'nobody' }],
    ['PAYMENT_METHOD_NOT_FOUND', { payment_method_id: 999 }],
  ])("place_order returns the service's error, %s", async (code, changed) => {
    expect(await tools.call('place_order', { ...order, ...changed })).toMatchObject({
      error: { code, request_id: expect.stringMatching(/^req_/) },
    });
  });

  it('place_order places only one order if a key is repeated', async () => {
    const again = { ...order, idempotency_key: 'cart-1' };
    const { result } = await tools.call('place_order', again);
    expect((await tools.call('place_order', again)).result.orderId).toBe(result.orderId);
    expect((await tools.call('place_order', { ...again, quantity: 1 })).error?.code).toBe(
      'IDEMPOTENCY_CONFLICT',
    );
  });

  it('rejects an invalid input before any request', async () => {
    for (const [name, input] of [
      ['place_order', { ...order, quantity: 'two' }],
      ['act_on_order', { order_id: 'INV-1', action: 'steal' }],
      ['list_requests', { limit: 501 }],
    ] as const)
      expect((await tools.call(name, input)).error?.message).toContain('Input validation error');
  });
});

describe('what an assistant can do only in a sandbox', () => {
  it('act_on_order pays for an order, delivers it, and lets it fail', async () => {
    const [delivered, failed] = [await place(), await place()];
    const act = (order_id: string, action: string) => tools.call('act_on_order', { order_id, action });
    expect((await act(delivered, 'pay')).result).toMatchObject({
      ...{ order_id: delivered, payment_status: 'PAID', buy_status: 'Proses' },
    });
    expect((await act(delivered, 'deliver')).result).toMatchObject({ buy_status: 'Sukses' });
    expect((await act(failed, 'fail')).result).toMatchObject({ payment_status: 'FAILED' });
    expect((await act(failed, 'deliver')).error).toMatchObject({
      code: 'STATE_CONFLICT',
      hint: expect.stringContaining('The order must be PAID / Proses.'),
    });
    expect((await act('INV-1', 'pay')).error).toMatchObject({ code: 'INVOICE_NOT_FOUND' });
  });

  it('act_on_order explains each action of a sandbox', async () => {
    const { tools: listed } = await tools.client.listTools();
    const description = listed.find(({ name }) => name === 'act_on_order')?.description ?? '';
    for (const action of sandboxActions) expect(description).toContain(`${action}: `);
  });

  it('move_clock makes an unpaid order expire', async () => {
    const orderId = await place();
    const { result } = await tools.call('move_clock', { by: '31m' });
    expect(result.ahead_ms).toBe(31 * 60_000);
    expect((await tools.call('show_order', { order_id: orderId })).result.order.payment_status).toBe(
      'EXPIRED',
    );
    expect((await tools.call('move_clock', { by: 'soon' })).error).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('choose_scenario simulates the fault until another is chosen', async () => {
    expect((await tools.call('choose_scenario', { scenario: 'gateway-down' })).result.scenario).toBe(
      'gateway-down',
    );
    expect((await tools.call('place_order', order)).error?.code).toBe('PAYMENT_FAILED');
    await tools.call('choose_scenario', { scenario: 'none' });
    expect((await tools.call('place_order', order)).error).toBeUndefined();
  });

  it('reset_sandbox removes the orders, the clock offset and the fault', async () => {
    const orderId = await place();
    await tools.call('move_clock', { by: '1d' });
    await tools.call('choose_scenario', { scenario: 'slow' });
    expect((await tools.call('reset_sandbox')).result).toMatchObject({ ahead_ms: 0, scenario: 'none' });
    expect((await tools.call('show_order', { order_id: orderId })).error?.code).toBe('INVOICE_NOT_FOUND');
  });

  it('sandbox_status shows the address and the sandbox key, but no secret key', async () => {
    expect((await tools.call('sandbox_status')).result).toMatchObject({
      ...{ base_url: server.baseUrl, api_key: sandboxKey, api_key_from: null, ahead_ms: 0, scenario: 'none' },
      ends_with_this_session: false,
    });
    const ownKey = createKeyText('test', secureRandom);
    await using own = await toolsOf(server.baseUrl, ownKey);
    expect((await own.call('sandbox_status')).result).toMatchObject({
      ...{ api_key: null, api_key_from: 'TOPUP_API_KEY' },
    });
  });

  it('list_requests and show_request show requests with code that repeats them', async () => {
    await tools.call('place_order', { ...order, promo_code: 'NOPE' });
    const [last, ...others] = (await tools.call('list_requests', { limit: 1 })).result.requests;
    expect(others).toEqual([]);
    expect(last).toMatchObject({
      ...{ method: 'POST', target: '/api/order', status: 422, error_code: 'PROMO_NOT_FOUND' },
    });
    expect(last).not.toHaveProperty('response');
    const { result } = await tools.call('show_request', { number: last.number });
    expect(JSON.parse(result.request.body)).toMatchObject({ promo_code: 'NOPE' });
    expect(result.code.curl).toContain(`curl '${server.baseUrl}/order'`);
    expect(result.code.mockTest).toContain("toBe('PROMO_NOT_FOUND')");
    await place();
    const newer = await tools.call('list_requests', { after: last.number });
    expect(newer.result.requests.map(({ target }: { target: string }) => target)).toEqual(['/api/order']);
    expect((await tools.call('show_request', { number: 99_999 })).error?.code).toBe('REQUEST_NOT_FOUND');
  });
});

describe('documentation for an assistant', () => {
  it('explain_error explains each code of the SDK and of the service', async () => {
    for (const code of errorCodes)
      expect((await tools.call('explain_error', { code })).result, code).toMatchObject({ code });
    expect((await tools.call('explain_error', { code: ' promo_quota ' })).result).toEqual({
      code: 'PROMO_QUOTA',
      status: 422,
      messages: errors.PROMO_QUOTA.message,
      explanation: expect.stringMatching(/^The promo code has reached/),
    });
    expect((await tools.call('explain_error', { code: 'TIMEOUT' })).result).toMatchObject({ status: null });
    expect((await tools.call('explain_error', { code: 'PROMO_QUOTE' })).error).toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('PROMO_QUOTA'),
    });
  });

  it('read_docs returns a page or a section of a page', async () => {
    const { pages } = (await tools.call('list_docs')).result;
    expect(pages.map(({ page }: { page: string }) => page)).toEqual(
      expect.arrayContaining(['errors', 'interface', 'sandbox', 'sdk']),
    );
    for (const { page, title, summary } of pages) {
      const { result } = await tools.call('read_docs', { page });
      expect(result.text, page).toMatch(/^# /);
      expect(title, page).not.toBe('');
      expect(summary, page).not.toBe('');
      // Each title is found as it is listed; of two sections with one title, the first.
      for (const section of result.sections) {
        const found = await tools.call('read_docs', { page, section });
        expect(found.result?.text, `${page}: ${section}`).toContain(section);
        expect(result.text).toContain(found.result.text);
      }
    }
  });

  it('read_docs ends a section before the next section', async () => {
    const section = (title: string) => tools.call('read_docs', { page: 'errors', section: title });
    const { text } = (await section('not found')).result;
    expect(text).toContain('INVOICE_NOT_FOUND');
    expect(text).not.toContain('Promo codes');
    expect((await section('Nothing')).error).toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('Promo codes'),
    });
    expect((await tools.call('read_docs', { page: 'nothing' })).error?.code).toBe('NOT_FOUND');
  });

  it('read_docs accepts links in the form that pages use', async () => {
    const read = async (input: Record<string, string>) => (await tools.call('read_docs', input)).result;
    expect(await read({ page: 'sdk.md' })).toEqual(await read({ page: 'sdk' }));
    const linked = await read({ page: 'sdk.md#no-order-is-placed-twice' });
    expect(linked).toEqual(await read({ page: 'sdk', section: 'No order is placed twice' }));
    expect(await read({ page: 'sdk', section: 'no-order-is-placed-twice' })).toEqual(linked);
    expect(await tools.call('read_docs', { page: 'sdk.md#nothing' })).toMatchObject({
      error: { code: 'NOT_FOUND', message: 'The page sdk has no section nothing.' },
    });
  });

  it("offers the documentation's pages as resources", async () => {
    const { resources } = await tools.client.listResources();
    expect(resources).toContainEqual(
      expect.objectContaining({
        uri: 'topup://docs/errors',
        title: 'Error codes',
        mimeType: 'text/markdown',
      }),
    );
    const { contents } = await tools.client.readResource({ uri: 'topup://docs/errors' });
    expect(contents).toEqual([
      expect.objectContaining({ text: (await tools.call('read_docs', { page: 'errors' })).result.text }),
    ]);
  });
});

describe('a service that is not a sandbox', () => {
  const calls: [string, Record<string, unknown>][] = [
    ['list_games', {}],
    ['show_game', { slug: 'mobile-legends' }],
    ['place_order', order],
    ['show_order', { order_id: 'INV-1' }],
    ['sandbox_status', {}],
    ['act_on_order', { order_id: 'INV-1', action: 'pay' }],
    ['move_clock', { by: '1h' }],
    ['choose_scenario', { scenario: 'slow' }],
    ['show_faults', {}],
    ['add_fault', { error: 'UNAVAILABLE' }],
    ['remove_fault', {}],
    ['create_order', order],
    ['trigger', { event: 'order.paid' }],
    ['play', { document: '{"steps":[]}' }],
    ['snapshot', {}],
    ['restore', { id: 1 }],
    ['seed', { document: '{}' }],
    ['show_catalog', {}],
    ['replace_catalog', { document: '{}' }],
    ['show_webhooks', {}],
    ['add_webhook', { url: 'http://127.0.0.1:9/hooks' }],
    ['remove_webhooks', {}],
    ['fault_webhook', { fault: 'twice' }],
    ['release_webhooks', {}],
    ['resend_webhook', { id: 'evt_1' }],
    ['settle_webhooks', {}],
    ['reset_sandbox', {}],
    ['list_requests', {}],
    ['show_request', { number: 1 }],
  ];

  it('sends no request to a service that became live, and places no order there', async () => {
    using folder = temporaryFolder();
    await using live = await startLive(folder.path);
    await using other = await toolsOf(live.baseUrl, createKeyText('test', secureRandom));
    for (const [name, input] of calls)
      expect(await other.call(name, input), name).toMatchObject({
        error: { code: 'NO_SANDBOX', message: expect.stringContaining('never works with a live service') },
      });
    const { tools: listed } = await other.client.listTools();
    expect(listed.length - calls.length).toBe(3);
    expect((await other.call('explain_error', { code: 'TIMEOUT' })).error).toBeUndefined();
  });

  it('sends no request with the key of a live service', async () => {
    await using service = await startJsonService(200, {});
    await using other = await toolsOf(service.baseUrl, createKeyText('live', secureRandom));
    for (const [name, input] of calls) expect((await other.call(name, input)).error?.code).toBe('NO_SANDBOX');
    expect(service.asked).toEqual([]);
  });

  it('sends only the check to a service that is not a sandbox', async () => {
    await using service = await startJsonService(200, { success: true, data: {} });
    await using other = await toolsOf(service.baseUrl);
    for (const [name, input] of calls) expect((await other.call(name, input)).error?.code).toBe('NO_SANDBOX');
    expect(new Set(service.asked)).toEqual(new Set(['GET /sandbox']));
  });

  it("reports a service that doesn't respond", async () => {
    await using other = await toolsOf(await closedBaseUrl());
    expect((await other.call('list_games')).error).toMatchObject({ code: 'NETWORK_ERROR' });
  });
});

describe('topup mcp', () => {
  const initialize = `${JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })}\n`;
  const start = (environment: Record<string, string>, ...args: string[]) =>
    run(['mcp', ...args], { environment, input: initialize });

  it('writes only the protocol to stdout, and ends when stdin ends', async () => {
    const { code, stdout, stderr } = await start({ TOPUP_BASE_URL: server.baseUrl });
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([expect.objectContaining({ jsonrpc: '2.0', id: 1 })]);
    expect(stderr).toBe(`Serving the tools of the sandbox at ${server.baseUrl}.\n`);
  });

  it('rejects a live service before it offers tools', async () => {
    using folder = temporaryFolder();
    await using live = await startLive(folder.path);
    const key = createKeyText('test', secureRandom);
    const { code, stdout, stderr } = await start({ TOPUP_BASE_URL: live.baseUrl, TOPUP_API_KEY: key });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('is not a sandbox. `topup mcp` never works with a live service.');
  });

  it('rejects the key of a live service, and sends no request', async () => {
    await using service = await startJsonService(200, {});
    const key = createKeyText('live', secureRandom);
    const { code, stdout, stderr } = await start({ TOPUP_BASE_URL: service.baseUrl, TOPUP_API_KEY: key });
    expect({ code, stdout, asked: service.asked }).toEqual({ code: 1, stdout: '', asked: [] });
    expect(stderr).toContain('The key of TOPUP_API_KEY belongs to a live service, so nothing was sent.');
    expect(stderr).not.toContain(key);
  });

  it('starts without a sandbox', async () => {
    const { code, stdout, stderr } = await start({ TOPUP_BASE_URL: await closedBaseUrl() });
    expect(code).toBe(0);
    expect(stdout).toContain('"id":1');
    expect(stderr).toContain('No response from ');
  });

  it('starts within ten seconds even if the sandbox never responds', {
    timeout: 20_000,
  }, async () => {
    await using service = await startService(() => {});
    const began = performance.now();
    const { code, stdout, stderr } = await start({ TOPUP_BASE_URL: service.baseUrl });
    expect(code).toBe(0);
    expect(stdout).toContain('"id":1');
    expect(stderr).toContain('it took too long');
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('starts a new sandbox with --start, whatever is configured', async () => {
    await using service = await startJsonService(200, {});
    const { code, stdout, stderr } = await start(
      { TOPUP_BASE_URL: service.baseUrl, TOPUP_API_KEY: createKeyText('live', secureRandom), PORT: '0' },
      '--start',
    );
    expect({ code, asked: service.asked }).toEqual({ code: 0, asked: [] });
    expect(stdout).toContain('"id":1');
    const [, baseUrl = ''] = /at (http:\S+)\.\n/.exec(stderr) ?? [];
    expect(baseUrl).not.toBe(service.baseUrl);
    await expect(fetch(baseUrl)).rejects.toThrow();
  });
});
