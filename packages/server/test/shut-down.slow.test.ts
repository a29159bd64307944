import { seededRandom } from '@topup-kit/core/platform';
import { it } from 'vitest';
import { shutDownUnderLoad } from '../../../soak/shut-down/run.ts';
import { sha256Hex } from '../src/internal.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';

it('cuts no request when eight servers stop under load, and ends within 5 seconds', async () => {
  await using folder = await temporaryFolder();
  await shutDownUnderLoad(startServerProcess, {
    rounds: 8,
    folder: folder.path,
    random: seededRandom(sha256Hex, '14'),
  });
}, 120_000);
