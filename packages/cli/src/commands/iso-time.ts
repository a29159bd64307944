/** A moment in unix milliseconds for programs. */
export const isoTime = (moment: number): string => new Date(moment).toISOString();
