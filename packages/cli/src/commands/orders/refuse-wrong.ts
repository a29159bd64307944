import type { Service } from '../../client.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { slugWord } from '../../output/text.ts';
import type { Objections } from './check-order.ts';

/** Refuses what a service would refuse, all at once and by its flags. */
export function refuseWrong(objections: Objections, game: string | undefined, service: Service): void {
  if (Object.keys(objections).length === 0) return;
  const show = service.commandLine(`games show ${slugWord(game)}`);
  throw new Problem('This order would be refused. Nothing was sent.', {
    code: 'WOULD_BE_REFUSED',
    exitCode: exitCodes.rejected,
    fields: objections,
    hint: `What an order of a game takes:\n  ${show}`,
  });
}
