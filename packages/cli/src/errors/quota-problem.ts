import { exitCodes } from './exit-codes.ts';
import { Problem } from './problem.ts';

/** A promo that was used more often than its new quota allows. */
export const quotaProblem = ({ code, uses }: { code: string; uses: number }): Problem =>
  new Problem(
    `Promo ${code} was used ${uses === 1 ? 'once' : `${uses} times`} already, more often than its new quota allows.`,
    {
      code: 'PROMO_QUOTA_BELOW_USES',
      exitCode: exitCodes.rejected,
      hint: `Nothing was changed. Give it a quota of at least ${uses}, or end it by its status.`,
    },
  );
