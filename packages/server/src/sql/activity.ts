import {
  type Activity,
  type ActivityFilter,
  type Done,
  done,
  type StoredActivity,
} from '@topup-kit/core/store';
import { integer, integerOrNull, text } from '../rows/columns.ts';
import { added } from './dialect.ts';
import { all, type Command, type Statement, sql, where } from './statement.ts';

export const insertActivities = (activities: readonly Activity[]): Statement[] =>
  activities.map(
    ({ at, operator, action, subject, amount }) => sql`
      INSERT INTO activity (at, operator, action, subject, amount)
      VALUES (${at}, ${operator}, ${action}, ${subject}, ${amount})`,
  );

export function* addActivity(activity: Activity): Command<Done> {
  yield insertActivities([activity]);
  return done;
}

export const listActivity = ({
  operator,
  from,
  before,
  after,
  limit,
}: ActivityFilter): Command<StoredActivity[]> => {
  const conditions = [
    ...(operator === undefined ? [] : [sql`operator = ${operator}`]),
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(before === undefined ? [] : [sql`at < ${before}`]),
    ...(after === undefined ? [] : [sql`${added} < ${after}`]),
  ];
  return all(
    sql`
      SELECT ${added} AS number, at, operator, action, subject, amount FROM activity
      ${where(conditions)} ORDER BY ${added} DESC LIMIT ${limit}`,
    (row) => ({
      number: integer(row, 'number'),
      at: integer(row, 'at'),
      operator: text(row, 'operator'),
      action: text(row, 'action'),
      subject: text(row, 'subject'),
      amount: integerOrNull(row, 'amount'),
    }),
  );
};
