import { createHash } from 'node:crypto';
import { normaliseFields, orderFields } from '@topup-kit/core/contract';
import type { OrderRequest } from '@topup-kit/sdk';
import type { Holder } from './holder.ts';

/** What is noted of an order before it is sent. */
export interface BegunOrder {
  idempotency_key: string;
  base_url: string;
  /** Keys of other accounts are other orders; the key itself is not for this file. */
  api_key_hash: string;
  request: OrderRequest;
  /** ISO 8601. */
  begun_at: string;
}

export type OrderIdentity = Pick<BegunOrder, 'base_url' | 'request'>;

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

export const hashKey = (apiKey: string): string => hash(apiKey);

/** The same for requests to one service that mean the same order. */
export function fingerprintOf({ base_url, request }: OrderIdentity): string {
  const address = URL.parse(base_url)?.href ?? base_url;
  const fields = normaliseFields(orderFields, { ...request });
  return hash(`${address.replace(/\/+$/, '')}\n${JSON.stringify(fields)}`).slice(0, 32);
}

/** What a note's name tells: whose order it is and who sends it since when, so that one rename takes it over. */
export interface NoteName extends Holder {
  fingerprint: string;
  /** Sets apart notes of the same order. */
  id: string;
  /** Unix milliseconds. */
  since: number;
}

export const formatName = ({ fingerprint, id, pid, started, since }: NoteName): string =>
  `${fingerprint}.${id}.${pid}.${started}.${since}.json`;

/** Undefined for a file that is no note. */
export function parseName(name: string): NoteName | undefined {
  const [, fingerprint = '', id = '', pid, started = '', since] =
    /^([\da-f]{32})\.([\da-f-]{36})\.(\d+)\.(-|\d+)\.(\d+)\.json$/.exec(name) ?? [];
  return fingerprint === ''
    ? undefined
    : { fingerprint, id, pid: Number(pid), started, since: Number(since) };
}

const texts = ['idempotency_key', 'base_url', 'api_key_hash', 'begun_at'] as const;

function isBegunOrder(value: unknown): value is BegunOrder {
  const fields: Record<string, unknown> = Object(value);
  return (
    texts.every((name) => typeof fields[name] === 'string') &&
    typeof fields.request === 'object' &&
    fields.request !== null &&
    !Number.isNaN(Date.parse(String(fields.begun_at)))
  );
}

/** Reads a note; undefined when it is none, or is not of the order that its name says. */
export function parseNote(text: string, fingerprint: string): BegunOrder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isBegunOrder(value) && fingerprintOf(value) === fingerprint ? value : undefined;
  } catch {
    return undefined;
  }
}
