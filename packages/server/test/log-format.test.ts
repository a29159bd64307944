import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { sandboxKey } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { keepCompiled } from '../../../test/compiled.ts';
import { bundled } from '../../../test/shared.ts';

const program = await bundled(new URL('helpers/serve.ts', import.meta.url));

const sourceOf = (path: string): string => new URL(`../src/${path}`, import.meta.url).href;

/** What a server in its own process, whose stderr is no terminal, logs of one request. */
async function logOf(environment: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      TOPUP_MODE: 'sandbox',
      TOPUP_STORE: 'memory:',
      TOPUP_LOG_LEVEL: 'debug',
      PORT: '0',
      ...keepCompiled(program),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  const ended = once(child, 'close');
  const [baseUrl] = await once(child.stdout, 'data');
  await fetch(`${String(baseUrl).trim()}/games`, {
    headers: { 'X-API-KEY': sandboxKey, 'X-Request-Id': 'asked' },
  });
  child.kill('SIGTERM');
  await ended;
  return text;
}

describe('the log', () => {
  it('logs JSON, one object per line, without a terminal', async () => {
    const lines = (await logOf({})).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'the server is ready',
      'request',
      'the server stopped',
    ]);
  });

  it('logs for people on request, without colours in a file', async () => {
    const text = await logOf({ TOPUP_LOG_FORMAT: 'pretty' });
    expect(text).toMatch(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] DEBUG: GET listGames 200 [\d.]+ ms \{"requestId":"asked","account":"sandbox","key":"sandbox"\}$/m,
    );
    expect(text).not.toContain('\u001b');
  });

  it('logs a problem for people in one line, and an unexpected error with its stack', async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      '--conditions=@topup-kit/source',
      '--input-type=module-typescript',
      '--eval',
      `import { createLogger } from ${JSON.stringify(sourceOf('observability/logger.ts'))};
      import { StoreFileError } from ${JSON.stringify(sourceOf('sqlite/index.ts'))};
      const logger = await createLogger({ level: 'info', format: 'pretty', secrets: [], stream: undefined });
      const cause = new Error('disk is full');
      const full = new StoreFileError('writes_paused', 'One failed (disk is full).', { cause });
      logger.error({ err: full }, 'the store accepts no writes');
      logger.warn({ err: new TypeError('broken\\u001b[31m\\u202e', { cause }), about: 'INV-1\\u202e\\u009b' }, 'a task failed');`,
    ]);
    expect(stdout).toBe('');
    const [trouble, ...unexpected] = stderr
      .replaceAll(/\[[\d:.]+\] /g, '')
      .trimEnd()
      .split('\n');
    expect(trouble).toBe('ERROR: the store accepts no writes: One failed (disk is full)');
    expect(unexpected.filter((line) => !line.startsWith('    at '))).toEqual([
      'WARN: a task failed: broken [31m : disk is full {"about":"INV-1\\u202e\\u009b"}',
      '  TypeError',
      '  Error',
    ]);
    expect(unexpected.length).toBeGreaterThan(4);
  });
});
