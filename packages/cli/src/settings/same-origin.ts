/** Whether two addresses are of one service: keys go to none but their own. */
export const isSameOrigin = (one: string, other: string): boolean => {
  const origin = URL.parse(one)?.origin;
  return origin !== undefined && origin === URL.parse(other)?.origin;
};
