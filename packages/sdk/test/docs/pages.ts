import { accounts } from '../../../../test/docs/accounts.ts';
import type { Example } from './examples.ts';

/** The examples in TypeScript of all pages that no other test runs. */
export const examples: Example[] = accounts
  .filter(({ block, account }) => account.kind === 'example' && block.language === 'ts')
  .map(({ block }) => ({ of: `${block.page}:${block.line}`, code: block.text }));
