import { defineGroup } from '../../define-command.ts';
import { removeProfile, setSetting, unsetSetting, useProfile } from './edit.ts';
import { getSetting, listProfiles, listSettings, showPath } from './show.ts';

export const config = defineGroup(
  `A flag wins over the environment, that over the profile in use, that over the
default. These ask no service and open no store; a profile sets:
  base_url  the service that is asked (TOPUP_BASE_URL, --base-url)
  api_key   the key that it is asked with (TOPUP_API_KEY, --key-file)
  store     the store that operators' commands work on (TOPUP_STORE, --store)`,
  [
    ...[listSettings, getSetting, setSetting, unsetSetting],
    ...[listProfiles, useProfile, removeProfile, showPath],
  ],
);
