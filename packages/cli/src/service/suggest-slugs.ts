import { suggestSimilar } from '@topup-kit/core/contract';
import { CliError } from '../errors/cli-error.ts';
import type { Service } from './client.ts';

/** Timeout in milliseconds; a suggestion is not worth a longer wait. */
const timeout = 3_000;

/** Finds similar slugs at the service; empty if its games can't be listed. */
async function slugsLike(slug: string, service: Service): Promise<string[]> {
  try {
    const { games } = await service.ask((client, options) => client.games.list({ ...options, timeout }));
    return suggestSimilar(
      slug,
      games.map((game) => game.slug),
    );
  } catch {
    return [];
  }
}

/** Runs a request for a game. If the service has no such game, the hint suggests similar slugs. */
export async function suggestSlugs<Value>(
  service: Service,
  slug: string | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CliError) || error.details.code !== 'GAME_NOT_FOUND' || slug === undefined)
      throw error;
    const near = await slugsLike(slug, service);
    if (near.length === 0) throw error;
    throw error.with({ hint: `Did you mean ${near.join(' or ')}? ${error.details.hint ?? ''}`.trim() });
  }
}
