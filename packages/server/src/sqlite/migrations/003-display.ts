export const display = /* sql */ `
  -- The currency and the time zone of the server that used this file last, for commands that show amounts and times.
  CREATE TABLE display (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    currency TEXT NOT NULL,
    timezone TEXT NOT NULL
  ) STRICT;
`;
