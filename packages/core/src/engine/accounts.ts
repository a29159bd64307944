import * as z from 'zod/mini';
import { parseResult } from '../callback/index.ts';
import { type AccountCheck, type AccountInput, storableText } from '../contract/index.ts';
import type { Clock } from '../platform/index.ts';
import type { CatalogView } from './catalog/view.ts';
import { DomainError } from './errors.ts';
import { readTarget } from './orders/choose.ts';
import { allSuppliers, type ConfiguredSuppliers } from './suppliers.ts';
import { askSupplier } from './waiting.ts';

/** Time for which a supplier's response is valid, in milliseconds of real time. */
const lifetimeMs = 60 * 60_000;

const maxKnown = 10_000;

/** Maximum number of look-ups in flight at the supplier, so that nobody can flood it. */
const maxAsked = 10;

/** Time-out of the supplier in milliseconds. It is short, because a customer is waiting. */
const timeoutMs = 5_000;

export type AccountFacts = Pick<AccountCheck, 'status' | 'nickname'>;

/** Looks up accounts at suppliers that support it. */
export interface Accounts {
  /** @throws DomainError GAME_NOT_FOUND, or VALIDATION_ERROR for the server. */
  check(input: AccountInput): Promise<AccountCheck>;
}

const found = z.nullable(
  z.discriminatedUnion('exists', [
    z.object({
      exists: z.literal(true),
      nickname: z.nullable(z.string().check(z.overwrite(storableText), z.minLength(1), z.maxLength(255))),
    }),
    z.object({ exists: z.literal(false) }),
  ]),
);

const unavailable: AccountFacts = { status: 'unavailable', nickname: null };

export function createAccounts({
  catalog,
  realClock,
  ...configured
}: ConfiguredSuppliers & {
  catalog: () => Promise<CatalogView>;
  realClock: Clock;
}): Accounts {
  const supplier = allSuppliers(configured).find(({ findPlayer }) => findPlayer);
  /** Results in order of age. */
  const known = new Map<string, AccountFacts & { until: number }>();
  const asked = new Map<string, Promise<AccountFacts>>();

  async function ask(game: string, target: { id: string; server: string | null }): Promise<AccountFacts> {
    try {
      const result = parseResult(
        found,
        await askSupplier(
          async (signal) => supplier?.findPlayer?.({ game, ...target }, signal) ?? null,
          timeoutMs,
        ),
        "supplier's findPlayer",
      );
      if (result === null) return { status: 'unsupported', nickname: null };
      return result.exists
        ? { status: 'found', nickname: result.nickname }
        : { status: 'not_found', nickname: null };
    } catch {
      // The failure is not reported, because lists, purchases and the balance show the supplier's health better.
      return unavailable;
    }
  }

  function remember(name: string, account: AccountFacts): void {
    if (account.status === 'unavailable') return;
    known.delete(name);
    known.set(name, { ...account, until: realClock() + lifetimeMs });
    const [oldest] = known.keys();
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
  }

  function find(game: string, target: { id: string; server: string | null }): Promise<AccountFacts> {
    const name = JSON.stringify([game, target.id, target.server]);
    const fact = known.get(name);
    if (fact && realClock() < fact.until) return Promise.resolve(fact);
    const present = asked.get(name);
    if (present) return present;
    if (asked.size >= maxAsked) return Promise.resolve(unavailable);
    const asking = ask(game, target)
      .then((account) => {
        remember(name, account);
        return account;
      })
      .finally(() => void asked.delete(name));
    asked.set(name, asking);
    return asking;
  }

  return {
    async check({ game: slug, ...sent }) {
      const game = (await catalog()).gameBySlug.get(slug);
      if (!game) throw new DomainError('GAME_NOT_FOUND');
      const { id, server = null } = readTarget(game, sent);
      const { status, nickname } = await find(game.slug, { id, server });
      return { game: game.slug, id, server, status, nickname };
    },
  };
}
