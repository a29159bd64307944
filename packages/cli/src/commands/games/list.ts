import type { GameWithCategory } from '@topup-kit/sdk';
import type { Command } from 'commander';
import { connect } from '../../client.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { type Column, table } from '../../output/table.ts';
import { shellWord } from '../../output/text.ts';

const columns: Column[] = [
  { title: 'SLUG' },
  { title: 'GAME', long: true },
  { title: 'CATEGORY', long: true },
  { title: 'DEVELOPER', long: true },
  { title: 'NOTE' },
];

function noteOn({ status, populer }: GameWithCategory): string {
  if (!status) return 'closed';
  return populer ? 'popular' : '';
}

const asRow = (game: GameWithCategory): string[] => [
  game.slug,
  game.title,
  game.category.title,
  game.developers,
  noteOn(game),
];

async function listGames(context: CommandContext): Promise<void> {
  const service = await connect(context);
  const answer = await service.ask((client, options) => client.games.list(options));
  const { games } = answer;
  await context.print({
    document: answer,
    ids: games.map(({ slug }) => slug),
    screen: (look) => table(columns, games.map(asRow), look),
  });
  const example = games.find(({ status }) => status)?.slug ?? '<slug>';
  const next = service.commandLine(`games show ${shellWord(example)}`);
  context.remark(`\n${games.length} games. Products and prices of one:\n  ${next}`);
}

export const defineList: Define = (games, io) => {
  const list = games
    .command('list')
    .description('List the games, with the slugs that orders name them by')
    .action((_options: object, command: Command) => listGames(contextOf(io, command)));
  addExample(list, io, 'games list --json');
};
