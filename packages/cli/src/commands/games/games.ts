import type { Define } from '../../define-command.ts';
import { defineList } from './list.ts';
import { defineShow } from './show.ts';

export const defineGames: Define = (games, io) => {
  games.addHelpText('after', '\nThese ask the service, with a key that may read its catalogue.');
  defineList(games, io);
  defineShow(games, io);
};
