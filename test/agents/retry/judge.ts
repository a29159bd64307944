import { judgeRetries } from '../helpers.ts';

export const judge = (folder: string): Promise<void> =>
  judgeRetries(folder, (cart) => ['node', 'place.mjs', cart]);
