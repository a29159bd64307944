/** Values that come in over time, to be iterated over: those there already first, then each as it comes. */
export interface StateStream<Value> {
  add(value: Value): void;
  /** Ends with `end`; when that failed, so does the iteration. Leaving it early calls `stop`, which fails `end`. */
  iterate(end: Promise<unknown>, stop: () => void): AsyncGenerator<Value, void>;
}

export function createStateStream<Value>(): StateStream<Value> {
  const values: Value[] = [];
  let arrival = Promise.withResolvers<void>();
  return {
    add(value) {
      values.push(value);
      arrival.resolve();
      arrival = Promise.withResolvers();
    },
    iterate(end, stop) {
      let over = false;
      // A failure may come while nobody asks for the next value; whoever asks is told.
      end.then(
        () => {
          over = true;
        },
        () => {},
      );
      async function* generate(): AsyncGenerator<Value, void> {
        for (let index = 0; !over || index < values.length; ) {
          // safe: below the length
          if (index < values.length) yield values[index++] as Value;
          else await Promise.race([end, arrival.promise]);
        }
      }
      const generator = generate();
      const leave = generator.return.bind(generator);
      return Object.assign(generator, {
        /** Asked for its next value, a generator is not left before that comes; `end` comes at once. */
        return() {
          stop();
          return leave();
        },
      });
    },
  };
}
