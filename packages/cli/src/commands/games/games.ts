import type { Define } from '../define.ts';
import { defineList } from './list.ts';
import { defineShow } from './show.ts';

export const defineGames: Define = (games, io) => {
  defineList(games, io);
  defineShow(games, io);
};
