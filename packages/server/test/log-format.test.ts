import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sandboxKey } from '@topup-kit/core/engine';
import { describe, expect, it } from 'vitest';
import { bundled } from '../../../test/shared.ts';

const program = await bundled(new URL('helpers/serve.ts', import.meta.url));

/** What a server in its own process, whose stderr is no terminal, logs of one request. */
async function logOf(environment: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      TOPUP_MODE: 'sandbox',
      TOPUP_STORE: 'memory:',
      TOPUP_LOG_LEVEL: 'debug',
      PORT: '0',
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
  it('is JSON, one object a line, when nobody reads it in a terminal', async () => {
    const lines = (await logOf({})).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'the server is ready',
      'request',
      'the server stopped',
    ]);
  });

  it('is for people when they ask for it, and has no colours for a file', async () => {
    const text = await logOf({ TOPUP_LOG_FORMAT: 'pretty' });
    expect(text).toMatch(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] DEBUG: GET listGames 200 [\d.]+ ms \{"requestId":"asked","account":"sandbox","key":"sandbox"\}$/m,
    );
    expect(text).not.toContain('\u001b');
  });
});
