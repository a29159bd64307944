import { providers as known } from '@topup-kit/providers/registry';
import { describe, expect, it } from 'vitest';
import { type RunOptions, run, start, until } from './helpers/run.ts';

/** Runs the simulators until `use` is done. */
async function simulated(args: string[], use: (printed: string) => Promise<void>, options: RunOptions = {}) {
  const stop = new AbortController();
  const { written, code } = start(['simulate', '--port', '0', ...args], { ...options, signal: stop.signal });
  try {
    await use(await until(() => written.stdout));
  } finally {
    stop.abort('SIGTERM');
  }
  return { code: await code, ...written };
}

describe('simulate', () => {
  it("greets in 80 columns with each provider's settings, and stops without a failure", async () => {
    const { code, stdout } = await simulated([], async () => {});

    expect(code).toBe(0);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/^TRIPAY_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/tripay\/api$/m);
    expect(stdout).toContain('\nTRIPAY_MERCHANT_CODE=T0001\n');
  });

  it("shows the simulators' addresses, and explains callbacks", async () => {
    const { stdout, stderr } = await simulated(
      ['--tripay-callback', 'https://shop.example/callback/tripay'],
      async () => {},
    );

    expect(stdout).toMatch(
      /^\nThe simulators are running: no real money, and nothing is delivered\.\n\n {2}Page +(http:\S+)\n {2}Control +\1\/control\n\n# /,
    );
    expect(stdout).toMatch(/^# .*, callbacks to https:\/\/shop\.example\/callback\/tripay$/m);
    const others = known.map(({ name }) => name).filter((name) => name !== 'tripay');
    for (const name of others) expect(stdout).toContain(`, callbacks to not sent, see --${name}-callback\n`);
    for (const { name } of known)
      expect(stdout).toContain(`\n${name.toUpperCase().replaceAll('-', '_')}_BASE_URL=http://127.0.0.1:`);
    expect(stdout).toMatch(/\n\nCtrl\+C stops them\.\n$/);
    expect(stderr).toBe('Stopping.\n');
  });

  it('prints one document for programs with working base URLs', async () => {
    await simulated(['--json'], async (printed) => {
      const { url, control_url: controlUrl, providers } = JSON.parse(printed);

      expect((await fetch(url)).headers.get('Content-Type')).toContain('text/html');
      expect(await (await fetch(`${controlUrl}/books`)).json()).toHaveProperty('tripay');
      expect(providers.map(({ name }: { name: string }) => name)).toEqual(known.map(({ name }) => name));
      const [{ base_url: baseUrl, credentials }] = providers;
      const response = await fetch(`${baseUrl}/merchant/payment-channel`, {
        headers: { Authorization: `Bearer ${credentials.TRIPAY_API_KEY}` },
      });
      expect(response.status).toBe(200);
    });
  });

  it('prefers the flag for a callback address to the environment', async () => {
    const environment = { TRIPAY_CALLBACK_URL: 'http://127.0.0.1:1/environment' };
    const urlWith = async (args: string[]): Promise<string> => {
      const { stdout } = await simulated(['--json', ...args], async () => {}, { environment });
      return JSON.parse(stdout).providers[0].callback_url;
    };

    expect(await urlWith([])).toBe('http://127.0.0.1:1/environment');
    expect(await urlWith(['--tripay-callback', 'http://127.0.0.1:1/flag'])).toBe('http://127.0.0.1:1/flag');
  });

  it.each([
    [['--port', 'x'], '--port takes a whole number from 0 to 65535, not "x".'],
    [['--port', '12x'], '--port takes a whole number'],
    [['--port', 'x12'], '--port takes a whole number'],
    [['--port', '65536'], '--port takes a whole number'],
    [['--tripay-callback', 'xhttp://shop.example'], '--tripay-callback takes an http(s) URL'],
    [['--tripay-callback', 'httpx://shop.example'], '--tripay-callback takes an http(s) URL'],
    [['--tripay-callback', 'ftp://shop.example'], '--tripay-callback takes an http(s) URL'],
  ])('rejects the command simulate %j', async (args, message) => {
    const { code, stderr } = await run(['simulate', ...args]);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('names the variable with an invalid address', async () => {
    const { code, stderr } = await run(['simulate'], { environment: { TRIPAY_CALLBACK_URL: 'nowhere' } });

    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain('TRIPAY_CALLBACK_URL takes an http(s) URL, not "nowhere".');
  });

  it('fails for programs with an error code for a setting', async () => {
    const { code, stdout } = await run(['simulate', '--host', '192.0.2.1', '--port', '0', '--json']);

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'CONFIG' } });
  });

  it('rejects a port that is in use, and explains the next step', async () => {
    await simulated(['--json'], async (printed) => {
      const { port } = new URL(JSON.parse(printed).url);
      const { code, stderr } = await run(['simulate', '--port', port]);

      expect(code).toBe(1);
      expect(stderr).toContain(`127.0.0.1:${port} is already taken by another program`);
    });
  });
});
