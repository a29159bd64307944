import { expect, it } from 'vitest';
import { axeViolations, soon, useBrowser, widthsTooNarrow } from './helpers/browser.ts';

const { open, startConsole } = useBrowser();

it('lets an operator log in with a link, stay logged in, and log out, in a browser', async () => {
  await using live = await startConsole();
  const at = `${live.server.localUrl}/console`;
  const { page, complaints } = await open(at + (await live.newLink('Dewi')), { bypassCSP: true });
  expect(await widthsTooNarrow(page)).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Log in as Dewi' }).click();
  await page.getByRole('button', { name: 'Dewi: account and help' }).waitFor(soon);
  expect(page.url()).toBe(at);
  const [cookie] = await page.context().cookies(at);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/console' });
  expect(await page.evaluate('document.cookie')).toBe('');

  await page.goto(at);
  expect(complaints).toEqual([]);
  await page.getByRole('button', { name: 'account and help' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'You are not logged in' }).waitFor(soon);
  expect(await page.context().cookies(at)).toEqual([]);
  expect(await live.store.listConsoleSessions(live.clock.now)).toEqual([]);
  expect(await widthsTooNarrow(page)).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
});

it('requests nothing that needs a login on a page before the login, in a browser', async () => {
  await using live = await startConsole();
  const { page, complaints } = await open(`${live.server.localUrl}/console${await live.newLink()}`);
  await page.getByRole('button', { name: 'Log in as' }).click();
  await page.getByRole('button', { name: 'account and help' }).waitFor(soon);
  expect(complaints).toEqual([]);
});

it('continues a form after the next login if the session had ended, in a browser without JavaScript', async () => {
  await using live = await startConsole();
  const at = `${live.server.localUrl}/console`;
  const { page } = await open(at + (await live.newLink()), { javaScriptEnabled: false });
  await page.getByRole('button', { name: 'Log in as' }).click();
  await page.goto(`${at}/catalog/games/mobile-legends/close`);
  await page.getByRole('textbox', { name: 'Why' }).fill('sold out until "tomorrow"');
  await live.store.endConsoleSessions();
  await page.getByRole('button', { name: /^Close/ }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor(soon);

  const other = await page.context().newPage();
  await other.goto(at + (await live.newLink()));
  await other.getByRole('button', { name: 'Log in as' }).click();
  await other.getByRole('button', { name: 'account and help' }).waitFor(soon);
  await page.getByRole('button', { name: 'Try again' }).click();
  const note = page.getByRole('textbox', { name: 'Why' });
  await note.waitFor(soon);
  expect(await note.inputValue()).toBe('sold out until "tomorrow"');
});

it('tells a tab that its session ended, and then rarely asks the server, in a browser', async () => {
  await using live = await startConsole();
  const at = `${live.server.localUrl}/console`;
  const { page, requests } = await open(at + (await live.newLink()));
  await page.getByRole('button', { name: 'Log in as' }).click();
  await page.getByRole('button', { name: 'account and help' }).waitFor(soon);
  await live.store.endConsoleSessions();
  await page.getByText('Your session has ended.').waitFor(soon);
  const asked = requests.length;
  // Ten times as long as a page waits between two questions in this test.
  await page.waitForTimeout(2_000);
  expect(requests.length).toBe(asked);
});

it('rejects forms and frames from another site, in a browser', async () => {
  await using live = await startConsole();
  await using other = await startConsole();
  const at = `${live.server.localUrl}/console`;
  // Another site for the browser: localhost instead of 127.0.0.1.
  const foreign = other.server.localUrl.replace('127.0.0.1', 'localhost');
  const { page } = await open(at + (await live.newLink()), { bypassCSP: true });
  await page.getByRole('button', { name: 'Log in as' }).click();
  await page.getByRole('button', { name: 'account and help' }).waitFor(soon);

  await page.goto(`${foreign}/console`);
  await page.setContent(`<form method="post" action="${at}/logout"><button>send</button></form>`);
  await page.getByRole('button', { name: 'send' }).click();
  await page.getByRole('heading', { name: 'This request was rejected' }).waitFor(soon);
  expect(await live.store.listConsoleSessions(live.clock.now)).toHaveLength(1);

  await page.goto(`${foreign}/console`);
  await page.setContent(`<iframe src="${at}"></iframe>`);
  await expect
    .poll(() => page.frames().map((frame) => frame.url()))
    .toContainEqual(expect.stringContaining('chrome-error:'));
});
