/** A stream of values for iteration: first the values so far, then each new one. */
export interface StateStream<Value> {
  add(value: Value): void;
  /** Iterates until `end` resolves, and throws if it rejects. Leaving the loop early calls `stop`, which must reject `end`. */
  iterate(end: Promise<unknown>, stop: () => void): AsyncGenerator<Value, void>;
}

export function createStateStream<Value>(): StateStream<Value> {
  const values: Value[] = [];
  let arrived = (): void => {};
  const nextArrival = (): Promise<void> =>
    new Promise((resolve) => {
      arrived = resolve;
    });
  let arrival = nextArrival();
  return {
    add(value) {
      values.push(value);
      arrived();
      arrival = nextArrival();
    },
    iterate(end, stop) {
      let over = false;
      // Handles a rejection between two values; the next request for a value throws it.
      end.then(
        () => {
          over = true;
        },
        () => {},
      );
      async function* generate(): AsyncGenerator<Value, void> {
        for (let index = 0; !over || index < values.length; ) {
          // Safe: the index is below the length.
          if (index < values.length) yield values[index++] as Value;
          else await Promise.race([end, arrival]);
        }
      }
      const generator = generate();
      const finish = generator.return.bind(generator);
      return Object.assign(generator, {
        /** A generator can't return while it waits for the next value, so `stop` first makes `end` reject. */
        return() {
          stop();
          return finish();
        },
      });
    },
  };
}
