/** `pnpm --filter @topup-kit/sdk api`: writes api.md from the sources. */
import { writeFile } from 'node:fs/promises';
import { readApi } from './api/read-api.ts';
import { renderApi } from './api/render-api.ts';

await writeFile(new URL('../api.md', import.meta.url), renderApi(readApi()));
