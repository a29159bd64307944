import { describe, expect, it } from 'vitest';
import { run } from './helpers/run.ts';
import { ownSandbox } from './helpers/servers.ts';

const server = ownSandbox();

const show = (slug: string, columns = 80, ...more: string[]) =>
  run(['checkout', 'show', slug, ...more, '--base-url', server.baseUrl], { columns });
const widest = (screen: string): number => Math.max(...screen.split('\n').map((line) => line.length));

describe('checkout show', () => {
  it('shows the fields of an order and the payment methods by group, in 80 columns', async () => {
    const { code, stdout } = await show('genshin-impact');

    expect({ code, fits: widest(stdout) <= 80 }).toEqual({ code: 0, fits: true });
    expect(stdout).toMatchInlineSnapshot(`
      "Genshin Impact
      genshin-impact · RPG · HoYoverse

      NEEDED
      --id      UID
      --server  Server  one of America, Europe, Asia, TW, HK, MO

      PRODUCTS            ID                                     PRICE  PROMOTION
      Genesis Crystals  1401  60 Genesis Crystals            Rp 15,300
                        1402  330 Genesis Crystals           Rp 74,500
                        1403  1090 Genesis Crystals         Rp 225,000  was Rp 233,000
                        1404  2240 Genesis Crystals         Rp 467,000
                        1405  3880 Genesis Crystals         Rp 778,000
                        1406  8080 Genesis Crystals       Rp 1,549,000
      Pass              1407  Blessing of the Welkin Mo…     Rp 71,900  was Rp 74,500

      PAYMENT METHODS  ID                                FEE       FROM          UP TO
      QRIS             12  QRIS                         none   Rp 1,000   Rp 5,000,000
                       22  QRIS Instant       Rp 750 + 0.7 %   Rp 1,000   Rp 5,000,000
      Virtual Account  13  BRI Virtual Acco…        Rp 4,250  Rp 10,000  Rp 10,000,000
                       14  BCA Virtual Acco…        Rp 5,500  Rp 10,000  Rp 10,000,000
                       15  BNI Virtual Acco…        Rp 4,250  Rp 10,000  Rp 10,000,000
                       16  Mandiri Virtual…         Rp 4,250  Rp 10,000  Rp 10,000,000
      Retail           17  Alfamart                 Rp 3,500  Rp 10,000   Rp 2,500,000
                       18  Indomaret                Rp 3,500  Rp 10,000   Rp 2,500,000
      E-Wallet         19  DANA                          3 %   Rp 1,000  Rp 10,000,000
                       20  ShopeePay                     3 %   Rp 1,000  Rp 10,000,000
      Bank Transfer    21  BCA Bank Transfer   + unique code  Rp 10,000  Rp 50,000,000
      "
    `);
  });

  it('leaves out payment limits on a narrow terminal', async () => {
    const { stdout } = await show('genshin-impact', 60);

    expect(widest(stdout)).toBeLessThanOrEqual(60);
    expect(stdout).toMatch(/^PAYMENT METHODS +ID +FEE +FROM$/m);
  });

  it('cuts no part of the checkout in 120 columns', async () => {
    const { stdout } = await show('genshin-impact', 120);

    expect(widest(stdout)).toBeLessThanOrEqual(120);
    expect(stdout).not.toContain('…');
  });

  it("prints the service's checkout under --json", async () => {
    expect(JSON.parse((await show('mobile-legends', 80, '--json')).stdout)).toMatchObject({
      success: true,
      game: { slug: 'mobile-legends' },
      paymentMethods: expect.any(Array),
    });
  });

  it('suggests similar games for an unknown game, and exits with 3', async () => {
    const { code, stderr } = await show('genshin-inpact');

    expect(code).toBe(3);
    expect(stderr).toContain('Did you mean genshin-impact?');
  });
});
