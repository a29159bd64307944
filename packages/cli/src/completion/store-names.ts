import { resolve } from 'node:path';
import { readDatabaseNames, readStoreNames, type StoreName, type StoreNames } from '@topup-kit/server';
import type { Command } from 'commander';
import { contextOf } from '../context.ts';
import type { Io } from '../io.ts';
import { chooseStore } from '../store/open.ts';

/** Reads the names in the command's store; throws when there is no store. */
export function namesInStore(command: Command, io: Io): Promise<StoreNames> {
  const { store } = command.opts<{ store?: string }>();
  const { value } = chooseStore(contextOf(io, command), store);
  return value.startsWith('postgres')
    ? readDatabaseNames(value)
    : readStoreNames(resolve(value.replace(/^file:/, '')));
}

const suggest = ({ name, about }: StoreName) => ({ value: name, about });

export const orders = async (command: Command, io: Io) =>
  (await namesInStore(command, io)).orders.map(suggest);

export const promos = async (command: Command, io: Io) =>
  (await namesInStore(command, io)).promos.map(suggest);

export const callbacks = async (command: Command, io: Io) =>
  (await namesInStore(command, io)).callbacks.map(suggest);

export const keys = async (command: Command, io: Io) => (await namesInStore(command, io)).keys.map(suggest);
