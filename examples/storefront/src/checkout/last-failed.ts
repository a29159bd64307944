const stored = 'kilat:uncertain';

/** An order that ended in a failure, as it was asked for. */
interface Failed {
  request: string;
  idempotencyKey: string;
  /** It may have been made, and sent again it may be made twice. */
  isUncertain: boolean;
}

/** The last order that failed. It lasts as long as the tab: an order may have been made before a reload. */
export const lastFailed = {
  read(request: string): Failed | undefined {
    try {
      const failed: Failed | null = JSON.parse(sessionStorage.getItem(stored) ?? 'null');
      return failed?.request === request ? failed : undefined;
    } catch {
      return undefined;
    }
  },
  write: (failed: Failed): void => sessionStorage.setItem(stored, JSON.stringify(failed)),
  clear: (): void => sessionStorage.removeItem(stored),
};
