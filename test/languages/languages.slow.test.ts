import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createKeyText, type RunningServer, readConfig, secureRandom, startServer } from '@topup-kit/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, page, startFaultyService } from '../../examples/other-languages/faulty-service.ts';
import { installOnce } from '../../scripts/install-once.ts';
import { type Command, type Language, languages } from './languages.ts';
import { toOpenApi30 } from './open-api-30.ts';

const run = promisify(execFile);
const generator = 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar';
const hasJava = spawnSync('java', ['-version']).status === 0;
const programs = new URL('../../examples/other-languages/generated/', import.meta.url);

let folder: string;
let server: RunningServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'languages-'));
  const config = { PORT: '0', TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', TOPUP_LOG_LEVEL: 'silent' };
  [server] = await Promise.all([startServer(readConfig(config)), installOnce(import.meta.dirname)]);
  const document = await (await fetch(`${server.publicUrl}/openapi.json`)).text();
  await writeFile(join(folder, 'openapi.json'), toOpenApi30(document));
}, 300_000);
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true });
});

/** Generates the client for a language, and gives the command that runs the guide's program with it. */
async function generate(language: Language): Promise<Command> {
  const home = join(folder, language.name);
  const input = ['-i', join(folder, 'openapi.json'), '-g', language.generator, '-o', join(home, 'openapi')];
  await run('java', ['-jar', join(import.meta.dirname, generator), 'generate', ...input]);
  return language.prepare(home, fileURLToPath(new URL(language.program, programs)));
}

describe.each(languages)('a generated client in $name', (language) => {
  const needs = `(needs java, ${language.needs})`;
  const isThere = hasJava && language.isThere();
  let command: Command;
  let apiKey: string;

  beforeAll(async () => {
    if (isThere) command = await generate(language);
    apiKey = createKeyText('test', secureRandom);
  }, 180_000);

  /** What the program prints. */
  async function order({
    player = '12345678',
    product = '901',
    key = apiKey,
    idempotencyKey = String(randomUUID()),
    baseUrl = server.baseUrl,
  } = {}): Promise<string> {
    const variables = { TOPUP_BASE_URL: baseUrl, TOPUP_API_KEY: key, ...command.variables };
    const options = {
      cwd: join(folder, language.name),
      env: { ...process.env, ...variables },
      timeout: 30_000,
    };
    return (await run(command.file, [...command.given, player, product, idempotencyKey], options)).stdout;
  }

  async function choose(scenario: string): Promise<void> {
    const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: scenario });
    const response = await fetch(`${server.publicUrl}/sandbox/scenario`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
  }

  it.skipIf(!isThere)(`places an order and reads its invoice ${needs}`, async () => {
    expect(await order()).toMatch(/^INV-\d{14}-[A-Z]{8} UNPAID 22000\n$/);
  });

  it.skipIf(!isThere)(
    `places one order with a key ${needs}`,
    async () => {
      const idempotencyKey = randomUUID();
      expect(await order({ idempotencyKey })).toBe(await order({ idempotencyKey }));
    },
    60_000,
  );

  it.skipIf(!isThere)(
    `reports the status of an HTML page ${needs}`,
    async () => {
      await using service = await startFaultyService(server.baseUrl);
      service.orders.push(answer(502, page), answer(401, page));
      const { baseUrl } = service;
      expect(await order({ baseUrl })).toBe('502 without a code: The response is not JSON.\n');
      expect(await order({ baseUrl })).toBe('401 without a code: The response is not JSON.\n');
    },
    60_000,
  );

  it.skipIf(!isThere)(
    `reports errors of each shape as separate errors ${needs}`,
    async () => {
      // `message`, interface 7.1
      expect(await order({ key: 'unknown' })).toBe('401 UNAUTHORIZED Unauthorized\n');
      // `success` and `message`
      expect(await order({ product: '999' })).toBe('404 PRODUCT_NOT_FOUND Produk tidak ditemukan.\n');
      expect(await order({ product: '1201' })).toMatch(/^422 PRODUCT_GAME_MISMATCH \w.+\n$/);
      // `message` and `errors`
      expect(await order({ player: ' ' })).toMatch(/^422 VALIDATION_ERROR (.+)\n {2}id: \1\n$/);
      await choose('gateway-down');
      expect(await order()).toMatch(/^500 PAYMENT_FAILED \w.+\n$/);
      // The general envelope, whose `errors` are empty.
      await choose('maintenance');
      expect(await order()).toBe('503 UNAVAILABLE Layanan sedang tidak tersedia.\n');
    },
    90_000,
  );
});
