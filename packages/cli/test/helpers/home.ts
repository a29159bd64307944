import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The home folder of all commands of a test file, because the developer may have a configuration. It is created by the
 * first command that writes to it, and deleted after the file.
 */
export const home = join(tmpdir(), `topup-cli-home-${process.pid}`);
