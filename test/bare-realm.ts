import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';

/**
 * The exports of a module, evaluated where there is only JavaScript itself and nothing of the Web platform. Rejects when
 * its import throws.
 */
export async function importInBareRealm(specifier: string, resolveDir: string): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '${specifier}'`, resolveDir },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'exported',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['@topup-kit/source'],
    logLevel: 'silent',
  });
  const realm = createContext({});
  runInContext(outputFiles[0]?.text ?? '', realm);
  return runInContext('exported', realm);
}
