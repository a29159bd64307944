import type { CheckoutAnswer } from '@topup-kit/sdk';
import type { Service } from '../../client.ts';
import { suggestSlugs } from '../../errors/suggest-slugs.ts';

/** What a checkout of a game needs; where there is no such game, the hint says which were perhaps meant. */
export const readCheckout = (service: Service, slug: string): Promise<CheckoutAnswer> =>
  suggestSlugs(service, slug, () =>
    service.ask((client, options) => client.checkout.get(slug, options), { game: slug }),
  );
