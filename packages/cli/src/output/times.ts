const format: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
};

/** `29 Mar 2026, 10:00 GMT+7`, in the zone of this machine; a text that is no time stays as it is. */
export function readableTime(time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toLocaleString('en-GB', format);
}
