/**
 * Lets whatever else waits have its turn, in the middle of long work. By a message and not by a timer: a test that holds
 * the timers still would hold this still too.
 */
export const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
