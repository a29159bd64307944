import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import packageJson from '../../package.json' with { type: 'json' };

const packageFolder = fileURLToPath(new URL('../../', import.meta.url));
const rootConfig = fileURLToPath(new URL('../../../../tsconfig.json', import.meta.url));

/** The compiler options of the repository. */
export function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(rootConfig, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: undefined, files: ['package.json'] },
    ts.sys,
    fileURLToPath(new URL('../../../../', import.meta.url)),
  );
  return options;
}

/** The public entries: import name and source file. */
export const entries = Object.entries(packageJson.exports)
  .filter(([path]) => path in packageJson.publishConfig.exports)
  .map(([path, conditions]) => ({
    name: packageJson.name + path.slice(1),
    source: packageFolder + conditions['@topup-kit/source'].slice(2),
  }));

export const isOurs = (file: ts.SourceFile): boolean => file.fileName.startsWith(`${packageFolder}src/`);

/** Whether an interface has options that users set. */
export const isOptions = (interfaceName: string): boolean => /(Options|Hooks|Limit)$/.test(interfaceName);
