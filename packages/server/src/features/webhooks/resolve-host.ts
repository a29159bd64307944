import { promises as dns, type LookupAddress } from 'node:dns';

/** Finds the addresses of a name; rejects or finds none when it has none. */
export type ResolveHost = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * As the system does it, with its file of hosts. At most four such lookups run at a time in the whole process, so that a
 * name server that hangs would hold up the lookups of the gateway.
 */
export const resolveBySystem: ResolveHost = (name) => dns.lookup(name, { all: true });

/** For each name server, in milliseconds. */
const resolveTimeoutMs = 2_000;

/**
 * Creates what looks names up by DNS alone, where names of this machine and its network mean nothing; any number of
 * lookups at a time. `servers` are name servers instead of the system's.
 */
export function createDnsLookup(servers?: readonly string[]): ResolveHost {
  const resolver = new dns.Resolver({ timeout: resolveTimeoutMs, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses: LookupAddress[] = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
    return addresses;
  };
}
