/** Lets whatever else waits have its turn, in the middle of long work. */
export const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
