import type { Service } from '../service/client.ts';
import { CliError } from './cli-error.ts';

/** Milliseconds that a suggestion is worth waiting for. */
const timeout = 3_000;

/** The slugs of the service that look like one it doesn't have; none where it lists no games. */
async function slugsLike(slug: string, service: Service): Promise<string[]> {
  try {
    const { games } = await service.ask((client, options) => client.games.list({ ...options, timeout }));
    const { nearest } = await import('./usage.ts');
    return nearest(
      slug,
      games.map((game) => game.slug),
    );
  } catch {
    return [];
  }
}

/** Does what asks for a game; where the service has none of that slug, the hint says which were perhaps meant. */
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
    const { message, details } = error;
    const near = await slugsLike(slug, service);
    if (near.length === 0) throw error;
    throw new CliError(message, {
      ...details,
      hint: `Did you mean ${near.join(' or ')}? ${details.hint ?? ''}`.trim(),
    });
  }
}
