// Before a server of others could use the channel for messages of its own.
const send = process.send?.bind(process);

/** Sends the bench the address of this server, and afterwards its CPU time or its memory in response to each message. */
export function reportToBench(baseUrl: string): void {
  process.on('message', (question) => {
    const { user, system } = process.cpuUsage();
    send?.(question === 'memory' ? process.memoryUsage.rss() : user + system);
  });
  send?.(baseUrl);
}
