import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findUnderUsr as find, findPython, goFile, phpFile, underUsr } from './installed.ts';

/** Whether Python has these modules, of its own or of Debian. */
const imports = (modules: string): boolean =>
  spawnSync('python3', ['-c', `import ${modules}`], { env: { ...process.env, PYTHONPATH: pythonPackages } })
    .status === 0;

const run = promisify(execFile);

const pythonPackages = underUsr('lib/python3/dist-packages');
const phpExtension = 'lib/php/*/mbstring.so';

export interface Command {
  file: string;
  given: string[];
  variables: Record<string, string>;
}

/** A language that clients are generated for. */
export interface Language {
  name: string;
  /** The program of the guide. */
  program: string;
  /** The name of the generator. */
  generator: string;
  /** What has to be installed, for the name of a skipped test. */
  needs: string;
  isThere(): boolean;
  /** Makes a program ready whose client is in `openapi` of a folder; gives the command that runs it. */
  prepare(folder: string, program: string): Promise<Command>;
}

const python: Language = {
  name: 'Python',
  program: 'order.py',
  generator: 'python',
  needs: 'python3 with urllib3, dateutil, six and certifi',
  isThere: () => imports('urllib3, dateutil, six, certifi'),
  async prepare(folder, program) {
    const path = [join(folder, 'openapi'), pythonPackages].join(delimiter);
    return { file: findPython() ?? 'python3', given: [program], variables: { PYTHONPATH: path } };
  },
};

const php: Language = {
  name: 'PHP',
  program: 'order.php',
  generator: 'php',
  needs: 'php-cli, php-mbstring and php-guzzlehttp-guzzle of Debian',
  isThere: () => [phpFile, phpExtension, 'share/php/GuzzleHttp/autoload.php'].every(find),
  async prepare(folder, program) {
    await mkdir(join(folder, 'vendor'));
    await writeFile(join(folder, 'vendor/autoload.php'), autoload);
    // The generator is older than what PHP now warns of.
    const settings = [
      'error_reporting=8191',
      `include_path=${underUsr('share/php')}`,
      `extension=${find(phpExtension)}`,
    ];
    const given = ['-n', ...settings.flatMap((setting) => ['-d', setting]), program];
    return { file: find(phpFile) ?? '', given, variables: {} };
  },
};

/** What Composer would write, from Debian's packages. */
const autoload = `<?php
namespace GuzzleHttp\\Psr7 {
    // Version 2, which is newer than the generator, has it under this name.
    function build_query(array $values): string { return Query::build($values); }
}
namespace {
    require 'GuzzleHttp/autoload.php';
    spl_autoload_register(function (string $class): void {
        if (str_starts_with($class, 'OpenAPI\\Client\\\\')) {
            require __DIR__ . '/../openapi/lib/' . strtr(substr($class, 15), '\\\\', '/') . '.php';
        }
    });
}
`;

const go: Language = {
  name: 'Go',
  program: 'order.go',
  // In the version after, `go`.
  generator: 'go-experimental',
  needs: 'golang-go and golang-golang-x-oauth2-dev of Debian',
  isThere: () => [goFile, 'share/gocode/src/golang.org/x/oauth2'].every(find),
  async prepare(folder, program) {
    const shop = join(folder, 'path/src/shop');
    await mkdir(shop, { recursive: true });
    await Promise.all([
      rename(join(folder, 'openapi'), join(shop, 'openapi')),
      copyFile(program, join(shop, 'order.go')),
    ]);
    const file = find(goFile) ?? '';
    const variables = {
      GOROOT: join(file, '../..'),
      GOPATH: [join(folder, 'path'), underUsr('share/gocode')].join(delimiter),
      GOCACHE: join(folder, 'cache'),
      GO111MODULE: 'off',
    };
    await run(file, ['build', '-o', join(folder, 'order'), '.'], {
      cwd: shop,
      env: { ...process.env, ...variables },
    });
    return { file: join(folder, 'order'), given: [], variables: {} };
  },
};

export const languages: readonly Language[] = [python, php, go];
