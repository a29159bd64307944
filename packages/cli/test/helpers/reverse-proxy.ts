import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../test/free-port.ts';
import { temporaryFolder } from './folder.ts';
import { until } from './run.ts';

/** A file of examples/deployment. */
export const deployed = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../examples/deployment/${name}`, import.meta.url)), 'utf8');

/** Replaces a part of a committed file; throws when it isn't there any more. */
function replace(file: string, part: string, by: string): string {
  if (!file.includes(part)) throw new Error(`The file has no ${JSON.stringify(part)}.`);
  return file.replaceAll(part, by);
}

interface Facts {
  folder: string;
  /** Ports: of HTTPS, of HTTP, and of the servers behind. */
  secure: number;
  plain: number;
  upstreams: readonly number[];
}

interface Kind {
  /** The variable that names the program, if it isn't on the path. */
  variable: string;
  command: string;
  /** Writes the configuration, and returns the arguments that start the proxy with it. */
  configure: (facts: Facts) => string[];
  /** What it logged of requests and errors. */
  log: (folder: string, printed: string) => string;
}

/** nginx's committed file for one server or for two, with this machine's ports instead of the servers' addresses. */
function nginxSite({ folder, upstreams: [first, second] }: Facts): string {
  if (second === undefined) {
    let site = deployed('nginx.conf');
    for (const line of ['    listen [::]:80;\n', '    listen [::]:443 ssl http2;\n'])
      site = replace(site, line, '');
    site = replace(site, '127.0.0.1:4000', `127.0.0.1:${first}`);
    return replace(site, '/var/log/nginx', folder);
  }
  let site = deployed('fleet/nginx.conf');
  site = replace(site, '172.30.40.11:4000', `127.0.0.1:${first}`);
  site = replace(site, '172.30.40.12:4000', `127.0.0.1:${second}`);
  site = replace(site, '/dev/stdout', join(folder, 'topup.log'));
  return replace(site, '/dev/stderr', join(folder, 'error.log'));
}

/** The proxies, each by its committed file with other ports and paths, and a certificate of its own. */
const kinds = {
  nginx: {
    variable: 'TOPUP_TEST_NGINX',
    command: 'nginx',
    configure(facts) {
      const { folder, secure, plain } = facts;
      let site = nginxSite(facts);
      site = replace(site, 'listen 80;', `listen 127.0.0.1:${plain};`);
      site = replace(site, 'listen 443 ssl http2;', `listen 127.0.0.1:${secure} ssl http2;`);
      site = replace(site, '/etc/letsencrypt/live/shop.example', folder);
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${name};`,
      );
      writeFileSync(join(folder, 'topup.conf'), site);
      writeFileSync(
        join(folder, 'nginx.conf'),
        `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid nginx.pid; error_log stderr warn; worker_processes 1;
         events {} http { ${paths.join(' ')} gzip on; include topup.conf; }`,
      );
      return ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
    },
    log: (folder, printed) =>
      ['topup.log', 'error.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join('') + printed,
  },
  Caddy: {
    variable: 'TOPUP_TEST_CADDY',
    command: 'caddy',
    configure({ folder, secure, plain }) {
      const tls = `tls ${folder}/fullchain.pem ${folder}/privkey.pem`;
      let site = deployed('Caddyfile');
      site = replace(
        site,
        '\nshop.example {\n',
        `\nhttps://shop.example:${secure} {\n\tbind 127.0.0.1\n\t${tls}\n`,
      );
      const options = `\tadmin off\n\thttp_port ${plain}\n\thttps_port ${secure}\n\tdefault_bind 127.0.0.1\n`;
      writeFileSync(join(folder, 'Caddyfile'), replace(site, '\n{\n', `\n{\n${options}`));
      return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    },
    log: (_folder, printed) => printed,
  },
} as const satisfies Record<string, Kind>;

export type ProxyName = keyof typeof kinds;

const runs = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

/** Each proxy, and why it can't be started here; null where it can. */
export const proxies = (Object.keys(kinds) as ProxyName[]) // Safe: these are the keys of a constant table.
  .map((name) => {
    const { variable, command } = kinds[name];
    const program = process.env[variable] ?? command;
    const usable = runs(program, ...(name === 'nginx' ? ['-v'] : ['version'])) && runs('openssl', 'version');
    return {
      name,
      program,
      missing: usable ? null : `no ${command} on the path or in ${variable}, or no openssl`,
    };
  });

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** The address of the client, one of this machine's own. */
  from?: string;
}

/** Starts a proxy in front of the ports of one server, or of two if it is nginx, as shop.example. */
export async function startProxy({ name, program }: (typeof proxies)[number], ...upstreams: number[]) {
  const kind: Kind = kinds[name];
  const folder = temporaryFolder();
  const [secure, plain] = [await freePort(), await freePort()];
  const [key, certificate] = [join(folder.path, 'privkey.pem'), join(folder.path, 'fullchain.pem')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
      .concat('-subj', '/CN=shop.example', '-addext', 'subjectAltName=DNS:shop.example')
      .concat('-keyout', key, '-out', certificate),
    { stdio: 'ignore' },
  );
  const ca = readFileSync(certificate);
  const args = kind.configure({ folder: folder.path, secure, plain, upstreams });
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: folder.path, TOPUP_UPSTREAM: `127.0.0.1:${upstreams[0]}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (data) => (printed += data));
  const ended = once(child, 'exit');

  /** Sends a request to the proxy, over a connection of its own. The certificate is checked. */
  const send = (path: string, { method = 'GET', headers = {}, body, from = '127.0.0.2' }: Sent = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(
        {
          ...{
            host: '127.0.0.1',
            port: secure,
            localAddress: from,
            servername: 'shop.example',
            ca,
            agent: false,
          },
          ...{ path, method, headers: { Host: 'shop.example', ...headers } },
        },
        (response) =>
          text(response).then(
            (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
            reject,
          ),
      );
      sent.on('error', reject);
      sent.end(body);
    });

  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    folder[Symbol.dispose]();
  };
  try {
    await until(
      () =>
        send('/livez').then(
          () => true,
          () => child.exitCode !== null,
        ),
      15_000,
    );
    if (child.exitCode !== null) throw new Error(`${name} ended: ${printed}`);
  } catch (error) {
    await close();
    throw error;
  }
  /** Sends bytes to the proxy, and reads until it closes the connection. */
  async function sendRaw(bytes: string): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: secure, servername: 'shop.example', ca });
    socket.on('error', () => {}).setEncoding('latin1');
    socket.write(bytes, 'latin1');
    return (await socket.toArray()).join('');
  }

  return {
    send,
    sendRaw,
    plainUrl: `http://127.0.0.1:${plain}`,
    log: () => kind.log(folder.path, printed),
    [Symbol.asyncDispose]: close,
  };
}
