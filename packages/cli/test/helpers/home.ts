import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The home of the commands that the tests of a file run: whoever runs the tests may have a configuration. It is made when
 * a command writes to it, and gone when the file ends.
 */
export const home = join(tmpdir(), `topup-cli-home-${process.pid}`);
