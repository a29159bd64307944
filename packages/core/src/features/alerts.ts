import { type AlertDescription, houseAlerts, limitAlerts } from '../engine/alert-kinds.ts';
import {
  type AlertOf,
  findHouseAlerts,
  type HouseAlertSource,
  type RejectedByLimits,
  rejectedByLimits,
} from '../engine/alerts.ts';
import type { Store } from '../store/index.ts';
import { callbackAlerts } from './callbacks/alerts.ts';
import type { Merged } from './merged.ts';
import { webhookAlerts } from './webhooks/endpoints.ts';

const rooms = {
  callbacks: callbackAlerts,
  webhooks: webhookAlerts,
};
type Room = (typeof rooms)[keyof typeof rooms];

const kinds: typeof houseAlerts & Merged<Room['kinds']> & typeof limitAlerts = {
  ...houseAlerts,
  ...callbackAlerts.kinds,
  ...webhookAlerts.kinds,
  ...limitAlerts,
};

/** Alerts for an operator; each has a section in docs/runbook.md. */
export type AlertKind = keyof typeof kinds;

export type Alert = AlertOf<AlertKind>;

export const alertKinds = Object.keys(kinds) as AlertKind[]; // Safe: these are the keys of a constant table.

/** Descriptions of all alerts, for all code that shows them. */
export const alertDescriptions: Readonly<Record<AlertKind, AlertDescription>> = kinds;

export type AlertSource = HouseAlertSource &
  Pick<Store, 'readRaisedAlerts'> &
  Merged<Parameters<Room['find']>[0]>;

type FindAlerts = (store: AlertSource, times: { now: number; realNow: number }) => Promise<Alert[]>;

const finders = Object.values<{ find: FindAlerts }>(rooms).map(({ find }) => find);

/** Finds the alerts of a store, at most one alert of each kind. */
export async function findAlerts(
  store: AlertSource,
  times: { /** World time in unix milliseconds. */ now: number; realNow: number },
  added: RejectedByLimits = { count: 0, keyIds: [] },
): Promise<Alert[]> {
  const [house, ofRooms, raised] = await Promise.all([
    findHouseAlerts(store, times),
    Promise.all(finders.map((find) => find(store, times))),
    store.readRaisedAlerts(),
  ]);
  return [...house, ...ofRooms.flat(), ...rejectedByLimits(raised.alerts, added, times.realNow)];
}
