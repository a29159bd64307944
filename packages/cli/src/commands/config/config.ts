import type { Define } from '../../define-command.ts';
import { defineGet } from './get.ts';
import { defineList } from './list.ts';
import { definePath } from './path.ts';
import { defineProfiles } from './profiles.ts';
import { defineRemove } from './remove.ts';
import { defineSet } from './set.ts';
import { defineUnset } from './unset.ts';
import { defineUse } from './use.ts';

export const defineConfig: Define = (config, io) => {
  config.addHelpText(
    'after',
    `
A flag wins over the environment, that over the profile in use, that over the
default. These ask no service and open no store; a profile sets:
  base_url  the service that is asked (TOPUP_BASE_URL, --base-url)
  api_key   the key that it is asked with (TOPUP_API_KEY, --key-file)
  store     the store that operators' commands work on (TOPUP_STORE, --store)`,
  );
  for (const define of [
    defineList,
    defineGet,
    defineSet,
    defineUnset,
    defineProfiles,
    defineUse,
    defineRemove,
    definePath,
  ])
    define(config, io);
};
