import { describe, expect, it } from 'vitest';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { steady } from './helpers/order.ts';
import { openTerminal } from './helpers/pseudo-terminal.ts';
import { run, start } from './helpers/run.ts';
import { ownSandbox } from './helpers/servers.ts';

const server = ownSandbox();
const { at, place } = server;
const isThere = async (orderId: string): Promise<boolean> =>
  (await run(at('orders', 'show', orderId))).code === 0;

describe("commands that can't be undone", () => {
  it.each([
    ['an action, and does it after a yes', 'y', 0, false],
    ['an action, and does not do it after a no', 'n', 1, true],
    ['an action, and does not do it after only the enter key', '\r', 1, true],
    ['an action, and does not do it after Ctrl+C', '\u0003', 130, true],
  ])('requires confirmation for %s', async (_case, typed, exitCode, remains) => {
    const orderId = await place();
    const terminal = fakeTerminal();
    const { code, written } = start(at('sandbox', 'reset'), { terminal });

    await terminal.answer('Go on?', typed);

    expect(await code).toBe(exitCode);
    expect(written.stdout === '').toBe(remains);
    expect(await isThere(orderId)).toBe(remains);
  });

  it.each(['--no-input', '--json', '--fields=now'])('asks for no confirmation with %s', async (flag) => {
    const terminal = fakeTerminal();

    expect(await run(at('sandbox', 'reset', flag), { terminal })).toMatchObject({ code: 2 });
    expect(terminal.shown()).not.toContain('Go on?');
  });
});

describe('at a real pseudo-terminal', () => {
  it.each([80, 120])('shows a question in %i columns', async (columns) => {
    const orderId = await place();
    await using terminal = openTerminal(at('sandbox', 'reset'), { columns, environment: { NO_COLOR: '1' } });

    expect(steady(await terminal.until('No'))).toMatchInlineSnapshot(`
      "Using the sandbox at <server>.
      │
      ◆  A reset deletes all orders of the sandbox at <server>. Go on?
      │  ○ Yes / ● No
      └"
    `);
    terminal.press('left', 'enter');

    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain('Scenario  none: everything works');
    expect(await isThere(orderId)).toBe(false);
  });

  it('exits with 130 on Ctrl+C during a question, and restores the cursor', async () => {
    await using terminal = openTerminal(at('sandbox', 'reset'));
    await terminal.until('Go on?');

    terminal.press('ctrl+c');

    expect(await terminal.ended).toBe(130);
    expect(terminal.screen()).toContain('Cancelled. Nothing was done.');
  });
});
