import type { Localised } from '@topup-kit/core/contract';
import type { OperatorCommand, OperatorDependencies } from '@topup-kit/core/engine';
import { type ActionInput, type Field, InputError } from '../actions.ts';
import type { Content } from '../parts.ts';
import type { ConsoleDependencies, View } from '../view.ts';
import type { OrderStory } from './story.ts';

/** Data that decides which actions are possible. */
export type Subject = Pick<OrderStory, 'order' | 'units' | 'refunds' | 'reconciliations'>;

/** An action on one order, or on several in the same way. */
export interface OrderAction {
  name: string;
  title: Localised;
  noteLabel?: Localised;
  /** Command whose rules decide whether the action is possible; omitted if it always is. */
  does?: OperatorCommand['does'];
  fields?: (view: View, subjects: readonly Subject[]) => readonly Field[] | Promise<readonly Field[]>;
  details?: (
    view: View,
    story: OrderStory,
  ) => Promise<(readonly [string, Content | null])[]> | (readonly [string, Content | null])[];
  says?: Localised;
  perform: (operator: OperatorDependencies, orderId: string, input: ActionInput) => Promise<unknown>;
}

/** Returns the engine's data about the acting operator. */
export const operatorOf = ({ store, now }: ConsoleDependencies, view: View): OperatorDependencies => ({
  store,
  worldClock: now,
  operator: view.visitor.operator,
});

/** The problem of an amount that is not a number above zero. */
export const badAmount: Localised = {
  id: 'Jumlah ditulis tanpa pemisah, seperti 25000.',
  en: 'An amount is written without separators, such as 25000.',
};

/** Reads a typed number above zero; undefined for an empty field. */
export function readNumber(text: string | undefined, problem: Localised): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InputError(problem);
  return Number(text);
}
