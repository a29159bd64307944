/** The simulators' time in unix milliseconds, and its scheduled tasks. */
export interface SimulatorWorld {
  now(): number;
  /** Runs `task` at a time, unless the world closes first. */
  at(time: number, task: () => unknown): void;
  /** Resolves after `ms` milliseconds of this time, or when the world closes. */
  sleep(ms: number): Promise<void>;
  /** Moves the time ahead, and runs due tasks on the way, each at its own time and in sequence. */
  advance(ms: number): Promise<void>;
  close(): void;
}

interface Task {
  time: number;
  run: () => unknown;
  onClose?: () => void;
}

/** The longest possible delay of a timer. */
const longestDelayMs = 2_147_483_647;

/** Creates a world whose time runs like `realNow`, but ahead of it by the sum of all advances. */
export function createWorld(realNow: () => number): SimulatorWorld {
  const tasks = new Set<Task>();
  const running = new Set<Promise<unknown>>();
  let offset = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  /** Number of running calls of `advance`; while there are any, only they start tasks, not the timer. */
  let advancing = 0;

  const now = (): number => realNow() + offset;
  const dueBefore = (time: number): Task | undefined =>
    [...tasks].filter((task) => task.time <= time).toSorted((a, b) => a.time - b.time)[0];

  function start(task: Task): Promise<unknown> {
    tasks.delete(task);
    const work = Promise.resolve().then(task.run);
    const ended = work.finally(() => running.delete(ended));
    running.add(ended);
    return ended;
  }

  function arm(): void {
    clearTimeout(timer);
    if (tasks.size === 0 || closed || advancing > 0) return;
    const next = Math.min(...[...tasks].map(({ time }) => time));
    timer = setTimeout(runDue, Math.min(Math.max(next - now(), 1), longestDelayMs));
  }

  function runDue(): void {
    for (let task = dueBefore(now()); task; task = dueBefore(now())) void start(task);
    arm();
  }

  function add(task: Task): void {
    if (closed) {
      task.onClose?.();
      return;
    }
    tasks.add(task);
    arm();
  }

  return {
    now,
    at: (time, run) => add({ time, run }),
    sleep: (ms) => new Promise((resolve) => add({ time: now() + ms, run: resolve, onClose: resolve })),
    async advance(ms) {
      const target = now() + ms;
      advancing += 1;
      clearTimeout(timer);
      for (;;) {
        // A running task may schedule tasks, such as a callback's next attempt, at its own time.
        await Promise.all(running);
        const task = dueBefore(target);
        if (!task) break;
        offset += Math.max(0, task.time - now());
        await start(task);
      }
      offset += Math.max(0, target - now());
      advancing -= 1;
      arm();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      for (const { onClose } of tasks) onClose?.();
      tasks.clear();
    },
  };
}
