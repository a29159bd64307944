import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundled } from '../../test/shared.ts';
import { isThere } from './is-there.ts';

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Programs that read the games of the sandbox that the helper started, and print its base URL. */
const callers = {
  php: (): string => `
    require '${pathOf('topup_sandbox.php')}';
    $context = stream_context_create(['http' => ['header' => 'X-API-KEY: ' . getenv('TOPUP_API_KEY')]]);
    file_get_contents(getenv('TOPUP_BASE_URL') . '/games', context: $context) or exit(1);
    echo getenv('TOPUP_BASE_URL');`,
  java: (): string => `
    import java.net.URI;
    import java.net.http.*;
    class Caller {
      public static void main(String[] args) throws Exception {
        var uri = URI.create(TopupSandbox.BASE_URL + "/games");
        var request = HttpRequest.newBuilder(uri).header("X-API-KEY", TopupSandbox.API_KEY).build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) System.exit(1);
        System.out.print(TopupSandbox.BASE_URL);
      }
    }`,
};

describe.each([
  { command: 'javac', file: 'TopupSandbox.java', language: 'java' },
  { command: 'php', file: 'topup_sandbox.php', language: 'php' },
] as const)('runs the helper for $language', ({ command, file, language }) => {
  it.skipIf(!isThere(command))(
    `starts a sandbox, which stops with the program (needs ${command})`,
    { timeout: 60_000 },
    async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'topup-language-'));
      const topup = await bundled(new URL('../../packages/cli/src/bin.ts', import.meta.url));
      const script = `#!/bin/sh\nexec "${process.execPath}" "${topup}" "$@"\n`;
      await writeFile(join(folder.path, 'topup'), script, { mode: 0o755 });
      const env = { ...process.env, PATH: [folder.path, process.env.PATH].join(delimiter) };
      const caller = join(folder.path, `Caller.${language}`);
      await writeFile(caller, language === 'php' ? `<?php ${callers.php()}` : callers.java());
      const run = promisify(execFile);
      if (language === 'java') await run('javac', ['-d', folder.path, caller, pathOf(file)]);
      const args = language === 'java' ? ['-cp', folder.path, 'Caller'] : [caller];

      const { stdout: baseUrl } = await run(language, args, { env, timeout: 45_000 });

      expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
      await expect.poll(() => fetch(baseUrl).catch(() => 'stopped'), { timeout: 5_000 }).toBe('stopped');
    },
  );
});
