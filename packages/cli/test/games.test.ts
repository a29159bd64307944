import { describe, expect, it } from 'vitest';
import { hurryWaits } from '../../../test/hurry.ts';
import { steady } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { ownSandbox, startSandbox } from './helpers/servers.ts';

hurryWaits();

const server = ownSandbox();

const games = (...args: string[]) => run(['games', ...args, '--base-url', server.baseUrl]);

describe('games list', () => {
  it('prints the games in a table with aligned columns', async () => {
    const { code, stdout } = await games('list');

    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 4).join('\n')).toMatchInlineSnapshot(`
      "SLUG                 GAME                          CATEGORY         DEVELOPER           NOTE
      mobile-legends       Mobile Legends: Bang Bang     MOBA             Moonton             popular
      free-fire            Free Fire                     Battle Royale    Garena              popular
      pubg-mobile          PUBG Mobile                   Battle Royale    LightSpeed Studios  popular"
    `);
  });

  it('marks a closed game', async () => {
    expect((await games('list')).stdout).toMatch(/^tower-of-fantasy .* closed$/m);
  });

  it('names the service on stderr, and suggests the next step', async () => {
    expect(steady((await games('list')).stderr)).toMatchInlineSnapshot(`
      "Using the sandbox at <server>/api with its well-known key.

      33 games. To see the products and prices of a game:
        topup games show mobile-legends --base-url <server>/api
      "
    `);
  });

  it.each([
    ['slow', 'every response takes three seconds', 0],
    ['maintenance', 'every call fails with 503', 1],
    ['offline', 'no response: the connection is cut, a network error', 5],
  ])("names a sandbox's scenario %s, and explains how to end it", async (name, effect, exitCode) => {
    await using faulty = await startSandbox();
    const baseUrl = ['--base-url', faulty.baseUrl];
    await run(['sandbox', 'scenario', name, ...baseUrl]);

    const { code, stderr } = await run(['games', 'list', ...baseUrl]);

    expect(code).toBe(exitCode);
    expect(stderr).toContain(`This sandbox simulates a fault: ${name} (${effect}).\n`);
    expect(stderr).toContain(`  topup sandbox scenario none --base-url ${faulty.baseUrl}\n`);
  });

  it('cuts long text to fit the terminal, but never cuts slugs', async () => {
    const { stdout } = await run(['games', 'list', '--base-url', server.baseUrl], { columns: 60 });

    const lines = stdout.trimEnd().split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(stdout).toContain('call-of-duty-mobile  Call of…');
  });

  it('cuts nothing if the output is a file or a pipe', async () => {
    expect((await games('list')).stdout).toContain('GODDESS OF VICTORY: NIKKE');
  });

  it("prints the service's list under --json", async () => {
    const { stdout } = await games('list', '--json');

    const answer = await fetch(`${server.baseUrl}/games`, {
      headers: { 'X-API-KEY': `${server.sandboxKey}` },
    });
    expect(JSON.parse(stdout)).toEqual(await answer.json());
  });
});

describe('games show', () => {
  it("shows a game's products, order fields and payment methods", async () => {
    const { code, stdout } = await games('show', 'mobile-legends');

    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "Mobile Legends: Bang Bang
      mobile-legends · MOBA · Moonton

      Lima hero melawan lima di peta dengan tiga jalur, dalam pertandingan yang cukup
      singkat untuk perjalanan naik bus. Diamond dipakai untuk hero, skin, emote, dan
      pass setiap musim. User ID dan Zone ID berdampingan di halaman profilmu,
      misalnya 123456789 (2345); isi keduanya, karena yang satu tidak bisa diproses
      tanpa yang lain.

      PRODUCTS   ID                            PRICE  PROMOTION
      Diamonds  901  86 Diamond            Rp 22,000
                902  5 Diamond              Rp 1,600
                903  12 Diamond             Rp 3,600
                904  28 Diamond             Rp 7,800
                905  59 Diamond            Rp 15,900
                906  172 Diamond           Rp 42,500  was Rp 43,800
                907  257 Diamond           Rp 65,300
                908  344 Diamond           Rp 87,200
                909  429 Diamond          Rp 108,800
                910  706 Diamond          Rp 169,000  was Rp 175,500
                911  2195 Diamond         Rp 527,000
      Pass      912  Weekly Diamond Pass   Rp 26,900  was Rp 28,500
                913  Twilight Pass        Rp 149,000

      NEEDED
      --id      User ID
      --server  Zone ID

      ID  PAYMENT METHODS                     FEE       FROM          UP TO
      12  QRIS                               none   Rp 1,000   Rp 5,000,000
      13  BRI Virtual Account            Rp 4,250  Rp 10,000  Rp 10,000,000
      14  BCA Virtual Account            Rp 5,500  Rp 10,000  Rp 10,000,000
      15  BNI Virtual Account            Rp 4,250  Rp 10,000  Rp 10,000,000
      16  Mandiri Virtual Account        Rp 4,250  Rp 10,000  Rp 10,000,000
      17  Alfamart                       Rp 3,500  Rp 10,000   Rp 2,500,000
      18  Indomaret                      Rp 3,500  Rp 10,000   Rp 2,500,000
      19  DANA                                3 %   Rp 1,000  Rp 10,000,000
      20  ShopeePay                           3 %   Rp 1,000  Rp 10,000,000
      21  BCA Bank Transfer         + unique code  Rp 10,000  Rp 50,000,000
      22  QRIS Instant             Rp 750 + 0.7 %   Rp 1,000   Rp 5,000,000
      23  LinkAja                             3 %   Rp 1,000  Rp 10,000,000  closed
      "
    `);
  });

  it('fits a game into a terminal of 60 columns', async () => {
    const { stdout } = await run(['games', 'show', 'mobile-legends', '--base-url', server.baseUrl], {
      columns: 60,
    });

    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(stdout).toMatch(/^ID +PAYMENT METHODS +FEE +FROM/m);
  });

  it('ends with an order command to complete', async () => {
    expect(steady((await games('show', 'genshin-impact')).stderr)).toMatchInlineSnapshot(`
      "Using the sandbox at <server>/api with its well-known key.

      To order:
        topup orders create --game genshin-impact \\
          --product 1401 --payment-method 12 \\
          --id '<UID>' --server '<Server>' --whatsapp '<phone>' --base-url <server>/api
      "
    `);
  });

  it('lists the allowed values of a field', async () => {
    expect((await games('show', 'genshin-impact')).stdout).toContain(
      '--server  Server  one of America, Europe, Asia, TW, HK, MO',
    );
  });

  it("prints the service's game under --json", async () => {
    const { game, paymentMethods } = JSON.parse((await games('show', 'mobile-legends', '--json')).stdout);

    expect(game).toMatchObject({ id: 11, slug: 'mobile-legends' });
    expect(paymentMethods).toContainEqual(expect.objectContaining({ id: 12, code: 'QRIS' }));
  });

  it('exits with 3 if the game is not found, and suggests similar games and the list', async () => {
    const { code, stdout, stderr } = await games('show', 'mobile-legend');

    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(
      /Error: Game not found\.\nCode: GAME_NOT_FOUND, request id: \S+\nDid you mean mobile-legends\? This lists the games and their slugs:\n {2}topup games list --base-url \S+\n$/,
    );
  });
});

describe('games check', () => {
  it("shows a player's nickname", async () => {
    const { code, stdout } = await games('check', 'mobile-legends', '--id', '12345678', '--server', '2012');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Player5678/)]);
  });

  it.each([
    ['900000005', 3, 'the player does not exist'],
    ['900000003', 1, "the supplier can't check the player now"],
  ])('prints the result of %s with exit code %d: %s', async (id, exitCode, words) => {
    const { code, stdout } = await games('check', 'mobile-legends', '--id', id, '--server', '2012');
    expect([code, stdout]).toEqual([exitCode, expect.stringContaining(words)]);
  });

  it('prints the response of the account check under --json', async () => {
    const { stdout } = await games('check', 'free-fire', '--id', '42424242', '--json');
    expect(JSON.parse(stdout).data).toEqual({
      ...{ game: 'free-fire', id: '42424242', server: null },
      ...{ status: 'found', nickname: 'Player4242' },
    });
  });

  it('suggests similar games, and reports a missing server', async () => {
    expect((await games('check', 'free-fir', '--id', '1')).stderr).toContain('free-fire');
    const { code, stderr } = await games('check', 'mobile-legends', '--id', '1');
    expect([code, stderr]).toEqual([6, expect.stringMatching(/server/)]);
  });
});
