import { changeProfile, profileToChange } from '../../config/edit.ts';
import type { Profile, ProfileSetting } from '../../config/file.ts';
import { isSameOrigin, maskedKey, overruled, withoutCredentials } from '../../config/resolve.ts';
import type { CommandContext } from '../../context.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { programName } from '../../io.ts';
import { shellWord } from '../../output/text.ts';

/** A key was given for one service, and must not go to another because an address was changed. */
function refuseToMoveKey(before: Profile, { base_url }: Profile, name: string, program: string): void {
  if (before.api_key === undefined || before.base_url === undefined) return;
  if (base_url !== undefined && isSameOrigin(before.base_url, base_url)) return;
  const profile = shellWord(name);
  throw new Problem(
    `Profile ${name} keeps a key, which is for ${withoutCredentials(before.base_url)} alone.`,
    {
      code: 'KEY_KEPT',
      exitCode: exitCodes.rejected,
      hint: `Nothing was changed. Forget the key first, or keep the other service's in a profile of its own:\n  ${program} logout --profile ${profile}\n  ${program} login --profile <name>`,
    },
  );
}

function withSetting(before: Profile, name: ProfileSetting, value: string | undefined): Profile {
  const { [name]: _old, ...others } = before;
  return value === undefined ? others : { ...others, [name]: value };
}

/** Gives a setting of the profile a value, or takes it away, and says so. */
export async function changeSetting(
  context: CommandContext,
  { name, value }: { name: ProfileSetting; value: string | undefined },
): Promise<void> {
  const profile = profileToChange(context);
  await changeProfile({
    ...profile,
    change(before) {
      const after = withSetting(before, name, value);
      if (name === 'base_url') refuseToMoveKey(before, after, profile.name, programName(context.io));
      return after;
    },
  });
  const shown = value !== undefined && name === 'api_key' ? maskedKey(value) : value;
  const words = shown === undefined ? `no longer sets ${name}` : `sets ${name} to ${shown}`;
  await context.print({
    document: { profile: profile.name, setting: name, value: shown ?? null },
    screen: () => `Profile ${profile.name} ${words}.\n`,
  });
  const wins = value === undefined ? undefined : overruled(context.io, name);
  if (wins !== undefined) context.remark(wins);
}
