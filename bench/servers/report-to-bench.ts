// Bound before another program's server can use the channel for its own messages.
const send = process.send?.bind(process);

/** Sends the address of this server to the bench, and afterwards its CPU time or its memory in response to each message. */
export function reportToBench(baseUrl: string): void {
  process.on('message', (question) => {
    const { user, system } = process.cpuUsage();
    send?.(question === 'memory' ? process.memoryUsage.rss() : user + system);
  });
  send?.(baseUrl);
}
