import { describe, expect, it } from 'vitest';
import { accounts } from './accounts.ts';
import type { Block } from './blocks.ts';
import { runPage } from './run-page.ts';

const blocks = accounts.filter(({ account }) => account.kind === 'runs').map(({ block }) => block);

it.each([...Map.groupBy(blocks, ({ page }) => page)])(
  'runs the commands of %s in sequence',
  { timeout: 180_000 },
  async (page, ofPage) => {
    await expect(runPage(page, ofPage)).resolves.toBeUndefined();
  },
);

describe('a run of a page', { timeout: 60_000 }, () => {
  const page = 'docs/install.md';
  const run = (text: string, marks: Block['marks'] = {}): Promise<void> =>
    runPage(page, [{ page, line: 7, language: 'sh', text, file: undefined, marks }]);

  it.each([
    ['a command that fails', 'echo said\nfalse\ntrue', /exit code 1 at docs\/install\.md:7\nsaid\n/],
    [
      'a command inside another command',
      'order=$(topup orders show)\ntrue',
      /exit code 2 at docs\/install\.md:7\n/,
    ],
    ['a variable that the page does not set', 'echo $order', /order: unbound variable/],
    ['a server that does not start', 'topup serve --sandbox --store wrong:', /exit code 99[\s\S]*wrong:/],
    ['an error response', 'topup serve --sandbox\ncurl http://127.0.0.1:4000/nowhere', /exit code 22/],
  ])('ends at %s', async (_what, text, message) => {
    await expect(run(text)).rejects.toThrow(message);
  });

  it('accepts only the exit code that the page names', async () => {
    await expect(run('(exit 3)', { 'exits with': '3' })).resolves.toBeUndefined();
    await expect(run('(exit 4)', { 'exits with': '3' })).rejects.toThrow('exit code 4');
  });

  it("uses the packed command instead of the clone's", async () => {
    await expect(run('topup orders seal')).rejects.toThrow(/Unknown command 'seal'/);
    await expect(
      run('case $(npx -y pnpm@12 pack:all) in *topup-kit-cli.tgz*) ;; *) exit 5; esac'),
    ).resolves.toBeUndefined();
  });
});
