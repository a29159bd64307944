/** Sends the bench the address of this server, and its CPU time so far in response to each message. */
export function reportToBench(baseUrl: string): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send?.(baseUrl);
}
