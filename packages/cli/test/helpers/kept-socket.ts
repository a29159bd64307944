import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { topup } from './child.ts';
import { home } from './run.ts';

/**
 * Does what systemd does for a service with a socket unit: opens the socket, keeps it open, and passes it to each process that it
 * starts as its file descriptor 3. Node can't pass on a socket that it doesn't accept connections of.
 */
const keeper = `
use Socket; use POSIX ();
$^F = 3; $| = 1;
socket(my $socket, PF_INET, SOCK_STREAM, 0) or die $!;
bind($socket, sockaddr_in(0, INADDR_LOOPBACK)) && listen($socket, 4096) or die $!;
my ($port) = sockaddr_in(getsockname($socket));
fileno($socket) == 3 or POSIX::dup2(fileno($socket), 3) or die $!;
print "port $port\n";
my $child;
while (my $command = <STDIN>) {
  if ($command eq "start\n") {
    $child = fork() // die $!;
    if ($child == 0) { $ENV{LISTEN_PID} = $$; $ENV{LISTEN_FDS} = 1; exec @ARGV; }
    print "started\n";
  } else {
    kill "TERM", $child; waitpid($child, 0); print "ended $?\n";
  }
}
if ($child) { kill "KILL", $child; }
`;

/** Why this helper can't be used here; null where it can. */
export const missingKeeper = spawnSync('perl', ['-v']).status === 0 ? null : 'no perl on the path';

/** A socket that outlives the servers that listen on it. */
export async function keepSocket(environment: Record<string, string>) {
  const { PATH } = process.env;
  const child = spawn('perl', ['-e', keeper, process.execPath, topup, 'serve'], {
    env: { PATH, HOME: home, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  /** The next line of the keeper; the server prints others. */
  async function next(word: string): Promise<string> {
    for (let line = await lines.next(); !line.done; line = await lines.next())
      if (line.value.startsWith(`${word} `) || line.value === word) return line.value.slice(word.length + 1);
    throw new Error('perl ended');
  }
  const port = Number(await next('port'));
  return {
    port,
    async start() {
      child.stdin.write('start\n');
      await next('started');
    },
    /** Stops the server; returns the status of its process. */
    async stop() {
      child.stdin.write('stop\n');
      return Number(await next('ended'));
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}
