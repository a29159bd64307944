import { readdirSync, readFileSync } from 'node:fs';
import { verifyWebhook } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { shopLanguages } from './shops.ts';
import { describeShop } from './suite.ts';
import { chapterOf, readGuide } from './table.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const languageOf = (file: string): string =>
  ({ py: 'python', php: 'php', go: 'go', json: 'json', java: 'java' })[file.split('.').at(-1) ?? ''] ?? '';

/** Returns the files of a folder that a reader has to write; Go creates `go.mod` itself. */
const filesOf = (folder: string): string[] =>
  readdirSync(new URL(`../../${folder}`, import.meta.url)).filter(
    (name) => !/^(go\.mod|__pycache__)$/.test(name),
  );

describe.each(shopLanguages)('the guide for $name', ({ page, folder }) => {
  it.each([...filesOf(folder).map((name) => `${page}/${name}`), 'order.json', 'webhook.json'])(
    'shows %s as it is run',
    (file) => {
      expect(readGuide(page)).toContain(`\`\`\`${languageOf(file)}\n${read(file)}\`\`\``);
    },
  );

  it('repeats the chapter about what may be sent again from the other guides', () => {
    expect(chapterOf(page)).toMatch(/^\| no response/m);
    expect(chapterOf(page)).toBe(chapterOf('php'));
  });
});

it("accepts the guides' webhook in the SDK", async () => {
  const { secret, headers, body } = JSON.parse(read('webhook.json'));
  const now = Number(headers['webhook-timestamp']) * 1000;
  const event = await verifyWebhook(body, headers, secret, { now });
  expect(event).toMatchObject({ type: 'order.delivered', id: headers['webhook-id'] });
});

it.each(['order.py', 'order.php', 'order.go'])('shows %s in the guide to generated clients', (file) => {
  expect(readGuide('other-languages')).toContain(
    `\`\`\`${languageOf(file)}\n${read(`generated/${file}`)}\`\`\``,
  );
});

it.each(['TopupSandbox.java', 'topup_sandbox.php'])(
  'shows the helper %s of at most 30 lines in the guide to tests',
  (file) => {
    expect(readGuide('test-your-integration')).toContain(`\`\`\`${languageOf(file)}\n${read(file)}\`\`\``);
    expect(read(file).trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  },
);

for (const language of shopLanguages)
  describeShop(language, { runtime: language.installed(), needs: `${language.name} on the PATH`, each: 1 });
