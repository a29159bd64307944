import {
  type CheckoutAnswer,
  type GameWithCategory,
  isTopupError,
  type RequestOptions,
} from '@topup-kit/sdk';
import { client } from '../client.ts';

/** A game, and what is needed to order it; a service may have a catalogue and no checkout (interface 4.3). */
export interface GamePage {
  game: Pick<GameWithCategory, 'title' | 'developers' | 'category' | 'banner' | 'description'>;
  checkout?: CheckoutAnswer;
}

const hasNoCheckout = (error: unknown): boolean =>
  isTopupError(error) &&
  error.name === 'TopupHttpError' &&
  [404, 405].includes(error.status) &&
  error.code !== 'GAME_NOT_FOUND';

/** Reads what the page of a game shows: of a service without checkouts, what its catalogue tells. */
export async function readGame(slug: string, options: RequestOptions): Promise<GamePage> {
  try {
    const checkout = await client.checkout.get(slug, options);
    return { game: checkout.game, checkout };
  } catch (error) {
    if (!hasNoCheckout(error)) throw error;
    const { games } = await client.games.list(options);
    const game = games.find((one) => one.slug === slug);
    if (!game) throw error;
    return { game };
  }
}
