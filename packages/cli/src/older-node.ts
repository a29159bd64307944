// This file adds the APIs that commands for clients use and that Node 20 lacks.

Map.groupBy ??= <Key, Item>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key) => {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

Promise.withResolvers ??= <Value>() => {
  let settle: Omit<PromiseWithResolvers<Value>, 'promise'> | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Safe: a promise calls its executor before it is returned.
  return { promise, ...settle } as PromiseWithResolvers<Value>;
};

URL.parse ??= (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null);
