import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createDnsLookup,
  type ResolveHost,
  resolveBySystem,
} from '../src/features/webhooks/guarded-agent.ts';

/** Codes of the types of records. */
const types = { A: 1, AAAA: 28 };
const missingName = 3;

/** The addresses of a type that a name has, as bytes; null for a name that is missing, undefined for no answer at all. */
type Zone = (name: string, type: number) => number[][] | null | undefined;

function answerOf(query: Buffer, zone: Zone): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  const addresses = zone(labels.join('.'), type);
  if (addresses === undefined) return undefined;
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180 + (addresses === null ? missingName : 0), 2);
  head.writeUInt16BE(addresses?.length ?? 0, 6);
  head.writeUInt32BE(0, 8);
  const records = (addresses ?? []).map((bytes) =>
    Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
  );
  return Buffer.concat([head, query.subarray(12, at + 5), ...records]);
}

/** Lookups at a name server of the test. */
async function lookupIn(zone: Zone): Promise<ResolveHost> {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const answer = answerOf(query, zone);
    if (answer) server.send(answer, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return createDnsLookup([`127.0.0.1:${server.address().port}`]);
}

const ipv6 = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];

describe('a name that is looked up only in DNS', () => {
  it('returns addresses of both kinds for a name in DNS', async () => {
    const lookup = await lookupIn((_, type) =>
      type === types.A
        ? [
            [192, 0, 2, 7],
            [192, 0, 2, 8],
          ]
        : [ipv6],
    );
    await expect(lookup('hooks.example')).resolves.toEqual([
      { address: '192.0.2.7', family: 4 },
      { address: '192.0.2.8', family: 4 },
      { address: '2001:db8::7', family: 6 },
    ]);
  });

  it('returns addresses of one kind for a name in DNS', async () => {
    const lookup = await lookupIn((_, type) => (type === types.AAAA ? [ipv6] : []));
    await expect(lookup('hooks.example')).resolves.toEqual([{ address: '2001:db8::7', family: 6 }]);
  });

  it('reports a missing name, or a name without an address', async () => {
    const lookup = await lookupIn((name) => (name === 'missing.example' ? null : []));
    await expect(lookup('missing.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(lookup('empty.example')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it("doesn't delay other look-ups when a name server hangs", async () => {
    const lookup = await lookupIn((name) => (name.startsWith('slow') ? undefined : [[192, 0, 2, 7]]));
    const slow = Array.from({ length: 20 }, (_, index) => lookup(`slow-${index}.example`).catch(() => []));
    const begun = performance.now();
    await lookup('hooks.example');
    await dns.lookup('localhost');
    expect(performance.now() - begun).toBeLessThan(1_000);
    expect(slow).toHaveLength(20);
  });
});

describe('a name that is looked up by the system', () => {
  it("looks up this machine's name through the system", async () => {
    const addresses = await resolveBySystem('localhost');
    expect(addresses.map(({ address }) => address)).toContainEqual(
      expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    );
  });
});
