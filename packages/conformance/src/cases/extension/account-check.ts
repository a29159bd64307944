import { messagesByField, summarise } from '@topup-kit/core/contract';
import { responseSchemas } from '@topup-kit/core/schemas';
import {
  expectAt,
  expectError,
  expectStatus,
  expectText,
  gameNotFound,
  inEachLanguage,
  languageOf,
  nonexistent,
  readAt,
} from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { type Probe, type ProbedResponse, type Topic, writes } from '../../probe.ts';

const route: SpecReference = 'open-points Routes/POST-account-check';

const check = (probe: Probe, body: object): Promise<ProbedResponse> => probe.postTo('/account/check', body);

export const accountCheckCases: Topic = {
  'an account is repeated with what is known of it': writes([route], async (probe) => {
    const { game, id, server } = probe.fixture.order;
    const response = await check(probe, { game, id, server });
    expectStatus(response, 200, route);
    readAt(probe, response, { schema: responseSchemas.checkAccount, rows: () => route });
    expectAt(response, 'data.game', game, route);
    expectAt(response, 'data.id', id, route);
    expectText(response, 'data.status', /^(found|not_found|unsupported|unavailable)$/, route);
  }),
  'a game that does not exist is not found, and missing fields are named in their order': writes(
    [route],
    async (probe) => {
      const { id } = probe.fixture.order;
      expectError(await check(probe, { game: nonexistent.game, id }), gameNotFound, route);
      const response = await check(probe, {});
      expectStatus(response, 422, route);
      const errors = { game: [{ rule: 'required' } as const], id: [{ rule: 'required' } as const] };
      const texts = inEachLanguage((locale) => summarise(messagesByField(errors, locale), locale));
      expectAt(response, 'message', texts[languageOf(response, texts)], route);
    },
  ),
};
