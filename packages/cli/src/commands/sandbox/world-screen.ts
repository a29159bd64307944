import { readableTime } from '../../output/format.ts';
import { list } from '../../output/table.ts';

/** How a sandbox's world stands, as the control routes tell it. */
export interface World {
  now: string;
  scenario: string;
  /** What each scenario does. */
  scenarios: Record<string, string>;
}

export const worldScreen = ({ now, scenario, scenarios }: World): string => {
  const effect = scenarios[scenario];
  return list([
    ['Time', readableTime(now)],
    ['Scenario', effect === undefined ? scenario : `${scenario}: ${effect}`],
  ]);
};
