const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * The milliseconds of a duration such as `30s`, `31m`, `24h` or `1h30m`; undefined for any other text.
 *
 * @example
 * parseDuration('1h30m'); // 5_400_000
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)(ms|[smhd])/g)].reduce(
    (sum, [, count = '0', unit = 'ms']) => sum + Number(count) * (units[unit] ?? 0),
    0,
  );
}
