import type { Define } from '../../define-command.ts';
import { defineDocs } from './docs.ts';
import { definePage } from './page.ts';

export const defineOpen: Define = (open, io) => {
  open.addHelpText(
    'after',
    `
These ask the service, print the address, and open it in the browser that
BROWSER names, else in the system's own.`,
  );
  defineDocs(open, io);
  definePage(open, io);
};
