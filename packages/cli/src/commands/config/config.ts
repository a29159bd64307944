import { defineGroup } from '../../define-command.ts';
import { removeProfile, setSetting, unsetSetting, useProfile } from './edit.ts';
import { getSetting, listProfiles, listSettings, showPath } from './show.ts';

export const config = defineGroup(
  `A flag takes precedence over the environment, the environment over the profile,
and the profile over the default. These commands contact no service and open no
store. A profile can set:
  base_url  the service to connect to (TOPUP_BASE_URL, --base-url)
  api_key   the API key to use (TOPUP_API_KEY, --key-file)
  store     the store for operators' commands (TOPUP_STORE, --store)`,
  [
    ...[listSettings, getSetting, setSetting, unsetSetting],
    ...[listProfiles, useProfile, removeProfile, showPath],
  ],
);
