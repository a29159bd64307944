import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';

/** The request that a curl command sends. A shell reads the command; curl itself need not be there. */
export async function readCurl(command: string): Promise<Request> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    timeout: 20_000,
  });
  const { values, positionals } = parseArgs({
    args: stdout.split('\0').slice(0, -1),
    options: {
      method: { type: 'string', short: 'X' },
      header: { type: 'string', short: 'H', multiple: true },
      data: { type: 'string', short: 'd' },
      'data-raw': { type: 'string' },
    },
    allowPositionals: true,
  });
  const { header = [], data, 'data-raw': raw = data, method = raw === undefined ? 'GET' : 'POST' } = values;
  const [url = '', ...others] = positionals;
  if (others.length > 0) throw new Error(`curl takes no ${others.join(' ')}`);
  const headers = new Headers(header.map((line) => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']));
  return new Request(url, { method, headers, ...(raw !== undefined && { body: raw }) });
}
