/** Patterns of the files that have one line for each room. Only these files import rooms (decisions/044). */
export const roomLists = [
  '^packages/(core|server)/src/features/[^/]+\\.ts$',
  '^packages/server/src/features/console/(sections|additions)\\.ts$',
  '^packages/server/src/(index|internal)\\.ts$',
  '^packages/cli/src/commands/(nouns|doctor/room-checks)\\.ts$',
  '^packages/suites/src/store/index\\.ts$',
];
