import { expect, it } from 'vitest';
import { mainJourneys, otherJourneys } from './helpers/journeys.ts';
import { screens } from './helpers/screens.ts';
import { shopForTests } from './helpers/shop.ts';
import { expectText, fillCheckout, whitePart } from './helpers/visitor.ts';

const tools = shopForTests('mock', { width: 360, height: 740 });

screens(tools);
mainJourneys(tools);
otherJourneys(tools);

it('shows the names of payment methods as text, and no white box around the selected method', async () => {
  const page = await tools.visit('#/games/mobile-legends');
  await fillCheckout(page, { method: /^BRI Virtual Account/ });
  await expectText(page, 'BRI Virtual Account');
  for (const chosen of [page.locator('.product'), page.locator('.method')]) {
    const card = chosen.filter({ has: page.locator(':checked') });
    await card.scrollIntoViewIfNeeded();
    await card.locator('img').evaluate((picture: HTMLImageElement) => picture.decode());
    expect(await whitePart(page, card.locator('> span'))).toBeLessThan(0.01);
  }
});
