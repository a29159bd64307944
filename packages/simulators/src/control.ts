import type { Context, Hono } from 'hono';
import { renderSVG } from 'uqr';
import * as z from 'zod/mini';
import { type FaultPlan, faultNames, faults } from './faults.ts';
import type { Journal } from './journal.ts';
import { mainPage, paymentPage } from './page.ts';
import { ControlError, jsonObject, type NamedSimulator, parseInput } from './simulator.ts';
import type { SimulatorWorld } from './world.ts';

const faultInput = z.strictObject({
  provider: z.string(),
  fault: z.enum(faultNames),
  times: z._default(z.int().check(z.minimum(1), z.maximum(1_000)), 1),
  on: z._default(z.nullable(z.string()), null),
});

/** At most a year, so that the result is a valid date. */
const advanceInput = z.strictObject({ seconds: z.number().check(z.minimum(0), z.maximum(31_536_000)) });

const isForm = (context: Context): boolean =>
  (context.req.header('Content-Type') ?? '').startsWith('application/x-www-form-urlencoded');

function readInput(context: Context, body: string): Record<string, unknown> {
  if (isForm(context)) return Object.fromEntries(new URLSearchParams(body));
  const input = body === '' ? {} : jsonObject(body);
  if (!input) throw new ControlError(400, 'The body must be a JSON object.');
  return input;
}

/** Mounts the pages and `/control`, with which a test or a person acts as the customer, the provider and the clock. */
export function mountControl(
  router: Hono,
  deps: {
    simulators: readonly NamedSimulator[];
    world: SimulatorWorld;
    plan: FaultPlan;
    journal: Journal;
    readBody(context: Context): Promise<string>;
  },
): void {
  const { simulators, world, plan, journal, readBody } = deps;

  function find(name: string | undefined): NamedSimulator {
    const simulator = simulators.find((simulator) => simulator.name === name);
    if (simulator) return simulator;
    const names = simulators.map((simulator) => simulator.name).join(', ');
    throw new ControlError(404, `Unknown provider "${name}". The providers are ${names}.`);
  }

  const books = (): Record<string, unknown> =>
    Object.fromEntries(simulators.map((simulator) => [simulator.name, simulator.books()]));

  function findPayment(name: string, reference: string) {
    const simulator = find(name);
    const payment = simulator.payments().find((payment) => payment.reference === reference);
    if (!payment) throw new ControlError(404, `${simulator.title} has no payment ${reference}.`);
    return { simulator, payment };
  }

  /** Adds a route that responds with the result of `change`: as JSON, or with a redirect to the page of a form. */
  const post = (
    path: string,
    change: (input: Record<string, unknown>, context: Context) => unknown,
  ): void => {
    router.post(path, async (context) => {
      const input = readInput(context, await readBody(context));
      const result = await change(input, context);
      if (!isForm(context)) return context.json(result ?? { done: true });
      const { reference } = input;
      const page = `/pay/${context.req.param('provider')}/${encodeURIComponent(String(reference))}`;
      return context.redirect(reference === undefined ? '/' : page, 303);
    });
  };

  router.get('/', () => mainPage({ simulators, now: world.now(), calls: journal.list(), plan: plan.list() }));
  router.get('/pay/:provider/:reference', ({ req }) => {
    const { simulator, payment } = findPayment(req.param('provider'), req.param('reference'));
    return paymentPage(simulator, payment);
  });
  router.get('/qr/:provider/:reference', ({ req }) => {
    const { payment } = findPayment(req.param('provider'), req.param('reference'));
    if (payment.qrString === null) throw new ControlError(404, `${payment.reference} has no QR code.`);
    return new Response(renderSVG(payment.qrString), { headers: { 'Content-Type': 'image/svg+xml' } });
  });
  router.get('/control/books', (context) => context.json({ now: world.now(), ...books() }));
  router.get('/control/books/:provider', (context) =>
    context.json(find(context.req.param('provider')).books()),
  );
  router.get('/control/calls', (context) => {
    const { provider, direction } = context.req.query();
    const calls = journal
      .list()
      .filter((call) => provider === undefined || call.provider === provider)
      .filter((call) => direction === undefined || call.direction === direction);
    return context.json({ calls });
  });
  router.get('/control/faults', (context) => context.json({ planned: plan.list(), faults }));
  router.delete('/control/faults', (context) => {
    plan.clear();
    return context.json({ planned: [] });
  });
  post('/control/faults', (input) => {
    const fault = parseInput(faultInput, input);
    plan.plan({ ...fault, provider: find(fault.provider).name });
    return { planned: plan.list() };
  });
  post('/control/advance', async (input) => {
    await world.advance(parseInput(advanceInput, input).seconds * 1000);
    return { now: world.now() };
  });
  post('/control/:provider/:action', (input, { req }) => {
    const { actions, title } = find(req.param('provider'));
    const name = req.param('action') ?? '';
    const run = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!run)
      throw new ControlError(404, `${title} can't do "${name}"; it can ${Object.keys(actions).join(', ')}.`);
    return run(input);
  });
}
