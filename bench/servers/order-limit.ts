/**
 * Minimum work for an order: node:http parses the JSON of an order, and inserts a copy of the row of the order ORDER_ID into the store file
 * STORE. All inserts of one turn of the event loop share a transaction. The response follows the commit.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { listenForBench } from './listen.ts';

const { STORE = '', ORDER_ID = '', RESPONSE = '' } = process.env;
const db = new DatabaseSync(STORE);
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
const row = db.prepare('SELECT * FROM orders WHERE order_id = ?').get(ORDER_ID) ?? {};
const columns = Object.keys(row);
const insert = db.prepare(
  `INSERT INTO orders (${columns.join(', ')}) VALUES (${columns.map((column) => `$${column}`).join(', ')})`,
);
const details = JSON.parse(String(row.details));
const response = JSON.parse(RESPONSE);

let turn: (() => () => void)[] = [];

/** Runs work in the transaction of this turn. The function that the work returns runs after the commit. */
function inTransaction(work: () => () => void): void {
  if (turn.push(work) > 1) return;
  setImmediate(() => {
    const works = turn;
    turn = [];
    db.exec('BEGIN IMMEDIATE');
    const afterwards = works.map((each) => each());
    db.exec('COMMIT');
    for (const respond of afterwards) respond();
  });
}

const server = createServer((request, outgoing) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { id, server: zone, whatsapp } = JSON.parse(Buffer.concat(chunks).toString());
    inTransaction(() => {
      const orderId = `INV-${randomBytes(8).toString('hex')}`;
      const stored = { ...details, target: { id, server: zone, nickname: null }, contact: { whatsapp } };
      const values: Record<string, SQLInputValue> = {
        ...row,
        order_id: orderId,
        payment_reference: orderId,
        created_at: Date.now(),
        details: JSON.stringify(stored),
      };
      insert.run(values);
      return () => {
        const body = JSON.stringify({ ...response, orderId });
        outgoing.writeHead(201, {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        });
        outgoing.end(body);
      };
    });
  });
});
listenForBench(server);
